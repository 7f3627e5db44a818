import { z } from 'zod';
import { Delta } from './agent-events.js';
import { ConversationId, ProviderId, RelayId } from './ids.js';
import { LIMITS } from './limits.js';
import { ProviderOnRelay, ProviderStatus } from './providers.js';
import { storableText } from './text.js';
import {
  Epoch,
  MessageNumber,
  ReceivedUpTo,
  SessionSpec,
  type RelayEnvelope,
  type HubEnvelope,
  type Acknowledgement,
} from './relay-messages.js';

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
  sent: ReceivedUpTo,
  /** The last of the hub's that it has fsynced. */
  received: ReceivedUpTo,
  /** The last of its own that the hub has acknowledged. */
  acked: ReceivedUpTo.optional(),
  /** What it runs there; told of conversations that the hub called `unknown`. */
  session: SessionSpec.optional(),
});
export type RelayCursor = z.infer<typeof RelayCursor>;
/** Rule 7: says who of those that have a relay's key was attached last. A number, a random text, the hub's signature. */
export const RelayToken = z
  .string()
  .regex(/^[1-9]\d{0,8}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{86}$/)
  .brand<'RelayToken'>();
export type RelayToken = z.infer<typeof RelayToken>;
/** Rule 10: changes when the hub's database was put back to an older state; what was known of the one before is void. */
export const Incarnation = z.string().min(1).max(64);
export type Incarnation = z.infer<typeof Incarnation>;
/** One life of a hub's process. What it hands out carries its mark in the hub's store. */
export const HubRun = z.string().min(1).max(32);
export type HubRun = z.infer<typeof HubRun>;
/** Most earlier lives of a hub of which a relay is told: each ended with something left to send. */
export const MOST_EARLIER_RUNS = 40;

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
  /** Whether more of them come with `places`. */
  more: z.boolean().optional(),
  /** The hub's incarnation at the last attach, and the runs of it that this relay was attached to (rule 10). */
  incarnation: Incarnation.optional(),
  runs: z.array(HubRun).max(100).optional(),
});
export type RelayAttach = z.infer<typeof RelayAttach>;

/** How far they have come seen from the hub; `stale`: stop that conversation's agent and put its journal aside. */
export const HubCursor = z.object({
  conversationId: ConversationId,
  epoch: Epoch,
  sent: ReceivedUpTo,
  received: ReceivedUpTo,
  /**
   * The first number of the hub's that this relay may still be sent: what stands before it was acknowledged and is
   * not kept any more. A relay that lacks it can't get it back, and goes on from here.
   */
  firstKept: MessageNumber.optional(),
  stale: z.boolean(),
  /** Rule 10: the hub has no such conversation and is told what it is by `places`, so that it can be begun again. */
  unknown: z.boolean().optional(),
  /** Rule 10: the last number of its own that the hub remembers; what it said after that is to be told back. */
  remembers: ReceivedUpTo.optional(),
});
export type HubCursor = z.infer<typeof HubCursor>;
export const Attached = z.object({
  relayId: RelayId,
  conversations: z.array(HubCursor),
  /** To be shown at the next attach; the one before is good until `token-kept` is said of this one. */
  nextToken: RelayToken.optional(),
  incarnation: Incarnation.optional(),
  run: HubRun.optional(),
  /** Earlier lives of the hub, whose messages wait to be sent: this relay knows them from here on as well (rule 10). */
  earlierRuns: z.array(HubRun).max(MOST_EARLIER_RUNS).optional(),
});
export type Attached = z.infer<typeof Attached>;

/** Cursors of one frame. */
export const PLACES_PAGE = 1_000;
export const RelayPlaces = z.object({
  conversations: z.array(RelayCursor).max(PLACES_PAGE),
  /** Whether more follow. */
  more: z.boolean(),
});
export type RelayPlaces = z.infer<typeof RelayPlaces>;
export const HubPlaces = z.object({
  conversations: z.array(HubCursor),
  incarnation: Incarnation.optional(),
});
export type HubPlaces = z.infer<typeof HubPlaces>;

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
  n: MessageNumber,
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
  /** More of the relay's conversations, a page at a time, before it says anything else. */
  places(page: RelayPlaces, reply: (answer: HubPlaces | LinkRefusal) => void): void;
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
