import { z } from 'zod';
import { Grant } from './actions.js';
import { ConversationId, Instant, ProviderId, RelayId, Sequence } from './ids.js';
import { LIMITS } from './limits.js';
import { ModeState } from './modes.js';
import { storableText } from './text.js';

/** One colour and one word everywhere. `relay-away` is laid over the others by the page. */
export const ConversationState = z.enum([
  'starting',
  'running',
  'waiting-on-you',
  'waiting-on-agent',
  'waiting-for-reply',
  'idle',
  'done',
  'stuck',
  'failed',
  'asleep',
]);
export type ConversationState = z.infer<typeof ConversationState>;

/** The agent's process, as the relay last said. `gone` could not be resumed. */
export const ProcessState = z.enum(['none', 'starting', 'live', 'asleep', 'gone']);
export type ProcessState = z.infer<typeof ProcessState>;

/** The conversation's turn. `due`: a message has been handed to the relay and no turn runs yet. */
export const TurnState = z.enum(['none', 'due', 'running', 'done', 'interrupted', 'failed']);
export type TurnState = z.infer<typeof TurnState>;

/** Why something failed, in words for a person, and what to do. */
export const Failure = z.object({
  /** Stable name such as `authentication`, `rate-limit`, `client-missing`. */
  code: z.string().max(80),
  message: storableText(4_000),
  advice: storableText(4_000).optional(),
});
export type Failure = z.infer<typeof Failure>;

/** A row of the board. */
export const Conversation = z.object({
  id: ConversationId,
  relayId: RelayId,
  title: storableText(LIMITS.title),
  provider: ProviderId,
  engine: z.string().max(40).optional(),
  model: z.string().max(200).optional(),
  folder: storableText(LIMITS.folder, 1),
  mode: ModeState,
  /** M3: what may run again without being asked about, in this conversation and its folder. */
  grants: z.array(Grant).max(LIMITS.grants).default([]),
  state: ConversationState,
  process: ProcessState,
  turn: TurnState,
  failure: Failure.optional(),
  /** Open cards in it. */
  openCards: z.number().int().nonnegative(),
  /** Since when its oldest open request waits. */
  waitingSince: Instant.optional(),
  /** Messages that wait in its queue. */
  queued: z.number().int().nonnegative(),
  /** The end of what was last said in it, one line. */
  lastLine: storableText(LIMITS.lastLine),
  lastEventAt: Instant,
  lastEventN: z.number().int().nonnegative(),
  createdAt: Instant,
  archivedAt: Instant.optional(),
  /** Grows with each change of the row; devices keep the larger one. */
  version: Sequence,
});
export type Conversation = z.infer<typeof Conversation>;

/** Where a board page goes on: the place of its last row. */
export const BoardCursor = z.object({ lastEventAt: Instant, id: ConversationId });
export type BoardCursor = z.infer<typeof BoardCursor>;

export const BoardPage = z.object({
  conversations: z.array(Conversation),
  next: BoardCursor.optional(),
  /** How many there are in all for the same filter, up to 10,000. */
  total: z.number().int().nonnegative(),
});
export type BoardPage = z.infer<typeof BoardPage>;

/** A message in the queue of a conversation (C17). */
export const QueuedMessage = z.object({
  n: Sequence,
  messageId: z.uuid(),
  text: storableText(LIMITS.messageText, 1),
  at: Instant,
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;
