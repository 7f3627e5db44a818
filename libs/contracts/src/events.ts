import { z } from 'zod';
import {
  type AgentEvent,
  Notice,
  TextBlock,
  ThoughtBlock,
  ToolCalled,
  ToolReturned,
  TurnEnded,
  TurnStarted,
} from './agent-events.js';
import { Card, CardOutcome, CardRequest, Delivery } from './cards.js';
import { ConversationId, Instant, MessageId, ProviderId, RequestId, Sequence } from './ids.js';
import { LIMITS } from './limits.js';
import { RelayMode } from './modes.js';
import { Actor } from './principals.js';
import { storableText } from './text.js';

const ConversationCreated = z.object({
  kind: z.literal('conversation-created'),
  provider: ProviderId,
  model: z.string().max(200).optional(),
  folder: storableText(LIMITS.folder),
  mode: RelayMode,
  by: Actor,
});
/** A person's message, taken by the hub; `queued` when something runs or waits first (C17). */
const MessageAccepted = z.object({
  kind: z.literal('message-accepted'),
  messageId: MessageId,
  text: storableText(LIMITS.messageText, 1),
  by: Actor,
  queued: z.boolean(),
});
const MessagePickedUp = z.object({ kind: z.literal('message-picked-up'), messageId: MessageId });
const MessageCancelled = z.object({
  kind: z.literal('message-cancelled'),
  messageId: MessageId,
  by: Actor,
});
const RequestOpened = z.object({ kind: z.literal('request-opened'), request: CardRequest });
/** A card was answered or skipped, or an answer in a request that is still open was changed (C6). */
const CardSettled = z.object({ kind: z.literal('card-settled'), card: Card });
/** The whole request ended; its cards are as they are told to the agent. */
const RequestClosed = z.object({
  kind: z.literal('request-closed'),
  requestId: RequestId,
  outcome: CardOutcome,
  cards: z.array(Card),
});
const RequestDetached = z.object({
  kind: z.literal('request-detached'),
  requestId: RequestId,
  detached: z.boolean(),
});
const DeliveryChanged = z.object({
  kind: z.literal('delivery-changed'),
  requestId: RequestId,
  delivery: Delivery,
  possibleRepeat: z.boolean(),
});
const DeadlineExtended = z.object({
  kind: z.literal('deadline-extended'),
  requestId: RequestId,
  deadlineAt: Instant,
  by: Actor,
  /** Set where the hub did it by itself (C7), because the clock ran on while nobody could answer. */
  timeGivenAt: Instant.optional(),
});
const ModeChanged = z.object({
  kind: z.literal('mode-changed'),
  mode: RelayMode,
  version: Sequence,
  by: Actor,
});
const ModeAcknowledged = z.object({
  kind: z.literal('mode-acknowledged'),
  version: Sequence,
});
const StopAsked = z.object({ kind: z.literal('stop-asked'), by: Actor });
const Renamed = z.object({
  kind: z.literal('renamed'),
  title: storableText(LIMITS.title, 1),
  by: Actor,
});
/** A message on the link that could not be stored, in its place (link rule 6). */
const Tombstone = z.object({
  kind: z.literal('tombstone'),
  /** What stood there and why it was refused. */
  what: z.string().max(80),
  reason: storableText(4_000),
  /** How many messages are missing here, where a run of them is kept no more (link rule 10). */
  missing: z.number().int().positive().optional(),
});

/** The body of a stored event: one table, used by hub and page alike. */
export const EventBody = z.discriminatedUnion('kind', [
  ConversationCreated,
  MessageAccepted,
  MessagePickedUp,
  MessageCancelled,
  TurnStarted,
  TextBlock,
  ThoughtBlock,
  ToolCalled,
  ToolReturned,
  TurnEnded,
  Notice,
  RequestOpened,
  CardSettled,
  RequestClosed,
  RequestDetached,
  DeliveryChanged,
  DeadlineExtended,
  ModeChanged,
  ModeAcknowledged,
  StopAsked,
  Renamed,
  Tombstone,
]);
export type EventBody = z.infer<typeof EventBody>;
export type EventKind = EventBody['kind'];
export type EventBodyOf<K extends EventKind> = Extract<EventBody, { kind: K }>;

/** The protocol version that introduced each kind; a kind without one does not compile. */
export const EVENT_SINCE: { [K in EventKind]: number } = {
  'conversation-created': 1,
  'message-accepted': 1,
  'message-picked-up': 1,
  'message-cancelled': 1,
  'turn-started': 1,
  text: 1,
  thought: 1,
  'tool-called': 1,
  'tool-returned': 1,
  'turn-ended': 1,
  notice: 1,
  'request-opened': 1,
  'card-settled': 1,
  'request-closed': 1,
  'request-detached': 1,
  'delivery-changed': 1,
  'deadline-extended': 1,
  'mode-changed': 1,
  'mode-acknowledged': 1,
  'stop-asked': 1,
  renamed: 1,
  tombstone: 1,
};

/** An event as stored: numbered within its conversation, without gaps, from 1. */
export const StoredEvent = z.object({ n: Sequence, at: Instant, body: EventBody });
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Events of one conversation that follow each other. */
export const EventRun = z.object({ conversationId: ConversationId, events: z.array(StoredEvent) });
export type EventRun = z.infer<typeof EventRun>;

/** Every agent event is a stored event too; the compiler checks it. */
export const agentEventIsStored = (event: AgentEvent): EventBody => event;
