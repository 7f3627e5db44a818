import { z } from 'zod';
import { AgentEvent, Delta } from './agent-events.js';
import { Answer, CardOutcome, Question } from './cards.js';
import { ProcessState } from './conversations.js';
import {
  ConversationId,
  Duration,
  MessageId,
  ProviderId,
  Reached,
  RelayId,
  RequestId,
  Sequence,
  ToolCallId,
  TurnId,
} from './ids.js';
import { LIMITS } from './limits.js';
import { RelayMode } from './modes.js';
import { ProviderOnRelay, ProviderStatus } from './providers.js';
import { storableText } from './text.js';

/** The link's version; a hub and a relay of different ones say so and do not talk. */
export const LINK_PROTOCOL = 1;

/** Counts the assignments of a conversation to a relay; a write with an older one is refused (rule 2). */
export const Epoch = Sequence;
/** The running number of a message in one direction of one conversation, from 1 in each epoch. */
const N = Sequence;
/** What has been received so far; 0 before the first. */
const Received = Reached;

/** What one card of a closed request is told to the agent as. */
export const CardResult = z.object({
  question: Question,
  outcome: CardOutcome,
  answer: Answer.optional(),
});
export type CardResult = z.infer<typeof CardResult>;

/** Hub → relay: the end of a request, to be handed to the client once (rule 4). */
export const GiveAnswer = z.object({
  kind: z.literal('give-answer'),
  requestId: RequestId,
  toolCallId: ToolCallId,
  outcome: CardOutcome,
  /** The mode in force when the request closed: it decides how the agent goes on (M5). */
  mode: RelayMode,
  cards: z.array(CardResult).min(1),
});
export type GiveAnswer = z.infer<typeof GiveAnswer>;

export const SessionSpec = z.object({
  provider: ProviderId,
  engine: z.string().max(40).optional(),
  model: z.string().max(200).optional(),
  folder: storableText(LIMITS.folder, 1),
  mode: RelayMode,
  modeVersion: Sequence,
});
export type SessionSpec = z.infer<typeof SessionSpec>;

export const HubMessage = z.discriminatedUnion('kind', [
  /** First message of an assignment: what to run. Starts no process by itself. */
  z.object({ kind: z.literal('assign'), session: SessionSpec }),
  /** Starts or resumes the agent where needed. */
  z.object({
    kind: z.literal('send-message'),
    messageId: MessageId,
    text: storableText(LIMITS.messageText, 1),
  }),
  GiveAnswer,
  /** The person wants what could not be handed to the agent to be tried again. */
  z.object({ kind: z.literal('try-again') }),
  /** The running turn ends; open requests in it are closed by the hub. */
  z.object({ kind: z.literal('interrupt') }),
  z.object({
    kind: z.literal('set-mode'),
    mode: RelayMode,
    modeVersion: Sequence,
  }),
  /** The conversation was deleted: end the process, forget the journal. */
  z.object({ kind: z.literal('forget') }),
]);
export type HubMessage = z.infer<typeof HubMessage>;

export const HubEnvelope = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: N,
  message: HubMessage,
});
export type HubEnvelope = z.infer<typeof HubEnvelope>;

/** Relay → hub: an agent asks. The hub gives out the ids. */
export const AskRequest = z.object({
  kind: z.literal('ask'),
  toolCallId: ToolCallId,
  turnId: TurnId.optional(),
  questions: z.array(Question).min(1).max(LIMITS.questions),
  /** Where the provider's contract has a time-out of its own; otherwise the descriptor's. */
  waits: Duration.optional(),
  askedBy: storableText(LIMITS.header).optional(),
});
export type AskRequest = z.infer<typeof AskRequest>;

/** What a relay knows of a request that the hub may think is open (rule 3). */
export const RequestOnRelay = z.object({
  toolCallId: ToolCallId,
  /** `live`: the client waits in it. `detached`: the process is gone and can be resumed. */
  state: z.enum(['live', 'detached', 'unknown']),
});
export type RequestOnRelay = z.infer<typeof RequestOnRelay>;

export const RelayMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('agent-events'), events: z.array(AgentEvent).min(1).max(200) }),
  AskRequest,
  /** The client withdrew a question, or its process is gone for good. Never sent for a mere disconnect. */
  z.object({
    kind: z.literal('request-ended'),
    toolCallId: ToolCallId,
    outcome: z.enum(['cancelled', 'lost']),
  }),
  z.object({ kind: z.literal('process'), state: ProcessState }),
  /** The client's own name of the session, to resume it by. */
  z.object({ kind: z.literal('session-started'), sessionRef: z.string().min(1).max(400) }),
  /** The client has the message; from here it is not cancelled any more. */
  z.object({ kind: z.literal('message-picked-up'), messageId: MessageId }),
  z.object({
    kind: z.literal('answer-progress'),
    requestId: RequestId,
    delivery: z.enum(['handed', 'sent', 'delivered', 'superseded']),
    possibleRepeat: z.boolean(),
  }),
  z.object({ kind: z.literal('mode-acknowledged'), version: Sequence }),
  /** Rule 3: sent first after each attach. */
  z.object({
    kind: z.literal('snapshot'),
    process: ProcessState,
    requests: z.array(RequestOnRelay),
  }),
  /** Rule 6: stands where a message stood that the hub refused for good. */
  z.object({ kind: z.literal('tombstone'), what: z.string().max(80), reason: storableText(4_000) }),
]);
export type RelayMessage = z.infer<typeof RelayMessage>;
export type RelayMessageOf<K extends RelayMessage['kind']> = Extract<RelayMessage, { kind: K }>;

export const RelayEnvelope = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: N,
  message: RelayMessage,
});
export type RelayEnvelope = z.infer<typeof RelayEnvelope>;

/** Cumulative: everything up to `n` is committed (hub) or fsynced (relay). */
export const Acknowledgement = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: Received,
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;

/** Base64url of raw bytes. */
export const Base64Url = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/)
  .max(2_000);

/** Relay → hub, first of all. */
export const RelayHello = z.object({
  protocol: z.number().int(),
  /** The relay's raw Ed25519 public key. */
  relayKey: Base64Url,
  nonce: Base64Url,
});
export type RelayHello = z.infer<typeof RelayHello>;
/** Hub → relay: proves the hub, and challenges the relay (rule 8). */
export const HubProof = z.object({ hubKey: Base64Url, signature: Base64Url, nonce: Base64Url });
export type HubProof = z.infer<typeof HubProof>;

/** How far one conversation's two directions have come, seen from the relay. */
export const RelayCursor = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  /** The last message of its own that the relay has journalled. */
  sent: Received,
  /** The last of the hub's that it has fsynced. */
  received: Received,
});
export type RelayCursor = z.infer<typeof RelayCursor>;
/** Rule 7: says who of those that have a relay's key was attached last. A number, a random text, the hub's signature. */
export const RelayToken = z
  .string()
  .regex(/^[1-9]\d{0,8}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{86}$/)
  .brand<'RelayToken'>();
export type RelayToken = z.infer<typeof RelayToken>;
export const RelayAttach = z.object({
  signature: Base64Url,
  /** The last one that the relay was given and has on its disk. */
  token: RelayToken.optional(),
  name: storableText(LIMITS.title, 1),
  /** New at each start of the relay's process. */
  instance: z.uuid(),
  version: z.string().max(40),
  providers: z.array(ProviderOnRelay),
  conversations: z.array(RelayCursor),
});
export type RelayAttach = z.infer<typeof RelayAttach>;

/** How far they have come seen from the hub; `stale`: stop that conversation's agent and put its journal aside. */
export const HubCursor = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  sent: Received,
  received: Received,
  stale: z.boolean(),
});
export type HubCursor = z.infer<typeof HubCursor>;
export const Attached = z.object({
  relayId: RelayId,
  conversations: z.array(HubCursor),
  /** To be shown at the next attach; the one before is good until `token-kept` is said of this one. */
  nextToken: RelayToken.optional(),
});
export type Attached = z.infer<typeof Attached>;

/** Why the link was refused, in words. */
export const LinkRefusal = z.object({
  code: z.enum(['RELAY_UNKNOWN', 'RELAY_DUPLICATE', 'PROTOCOL', 'BAD_SIGNATURE', 'INVALID']),
  message: z.string().max(1_000),
});
export type LinkRefusal = z.infer<typeof LinkRefusal>;

/** What the hub could not take: the relay puts a tombstone in its place (rule 6). */
export const Refused = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  n: N,
  code: z.enum(['INVALID', 'STALE_EPOCH']),
  reason: z.string().max(2_000),
});
export type Refused = z.infer<typeof Refused>;

export const RelayDeltas = z.object({
  deltas: z.array(z.object({ conversationId: ConversationId, delta: Delta })).max(500),
});
export type RelayDeltas = z.infer<typeof RelayDeltas>;

/** Hub → relay, answered at once and never stored. */
export const FolderListing = z.object({
  path: z.string(),
  parent: z.string().optional(),
  folders: z.array(z.object({ name: z.string(), path: z.string() })).max(2_000),
});
export type FolderListing = z.infer<typeof FolderListing>;
export const ListFolders = z.object({ path: storableText(LIMITS.folder).optional() });
export const ConfigureProvider = z.object({
  provider: ProviderId,
  /** An empty text removes the value. */
  values: z.record(z.string().max(60), storableText(4_000)),
});
export type ConfigureProvider = z.infer<typeof ConfigureProvider>;
const failedCall = z.object({ ok: z.literal(false), code: z.string(), message: z.string() });
export const FolderReply = z.union([
  z.object({ ok: z.literal(true), listing: FolderListing }),
  failedCall,
]);
export type FolderReply = z.infer<typeof FolderReply>;
export const ConfigureReply = z.union([
  z.object({ ok: z.literal(true), status: ProviderStatus }),
  failedCall,
]);
export type ConfigureReply = z.infer<typeof ConfigureReply>;

/** socket.io event names of the link's namespace. */
export const RELAY_NAMESPACE = '/relay';
export interface RelayToHubEvents {
  hello(hello: RelayHello, reply: (answer: HubProof | LinkRefusal) => void): void;
  attach(attach: RelayAttach, reply: (answer: Attached | LinkRefusal) => void): void;
  /** The token that came with `attach` is on the relay's disk. */
  'token-kept'(): void;
  messages(batch: { messages: RelayEnvelope[] }): void;
  acknowledged(batch: { upTo: Acknowledgement[] }): void;
  deltas(batch: RelayDeltas): void;
  'provider-status'(status: ProviderStatus): void;
}
export interface HubToRelayEvents {
  messages(batch: { messages: HubEnvelope[] }): void;
  acknowledged(batch: { upTo: Acknowledgement[]; refused: Refused[] }): void;
  'list-folders'(call: z.infer<typeof ListFolders>, reply: (answer: FolderReply) => void): void;
  'configure-provider'(call: ConfigureProvider, reply: (answer: ConfigureReply) => void): void;
}
