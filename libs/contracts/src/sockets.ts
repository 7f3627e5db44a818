import { z } from 'zod';
import { Delta } from './agent-events.js';
import { BoardCursor, Conversation } from './conversations.js';
import { StoredEvent } from './events.js';
import {
  CertificateTrouble,
  ConversationPage,
  Inbox,
  InboxEntry,
  LinkAlarm,
  Relay,
} from './http.js';
import { ConversationId, Instant, Reached, RequestId } from './ids.js';
import { LIMITS } from './limits.js';
import { Incarnation } from './relay-link.js';

/** The namespace of devices. The access token goes in the handshake's `auth`, never in the URL. */
export const DEVICE_NAMESPACE = '/device';
export const DeviceHandshake = z.object({
  token: z.string().max(4_000),
  protocol: z.number().int(),
});
export const DEVICE_PROTOCOL = 1;

/** Device → hub: open a conversation, replaying what came after `after` (0: nothing is held). */
export const OpenConversation = z.object({
  conversationId: ConversationId,
  after: Reached,
});
export type OpenConversation = z.infer<typeof OpenConversation>;

/**
 * `replay`: the events after `after`, all of them. `snapshot`: too many came; what was held is dropped and
 * the newest blocks take its place.
 */
export const OpenedConversation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replay'), page: ConversationPage }),
  z.object({ kind: z.literal('snapshot'), page: ConversationPage }),
  z.object({
    kind: z.literal('refused'),
    code: z.enum(['NOT_FOUND', 'INVALID', 'UNAVAILABLE']),
    message: z.string(),
  }),
]);
export type OpenedConversation = z.infer<typeof OpenedConversation>;
export const CloseConversation = z.object({ conversationId: ConversationId });

/** Device → hub: a new token before the old one ends. */
export const RenewToken = z.object({ token: z.string().max(4_000) });

/** Hub → device: new events of an open conversation, up to 20 in one emit. */
export const ConversationEvents = z.object({
  conversationId: ConversationId,
  events: z.array(StoredEvent).min(1),
});
export type ConversationEvents = z.infer<typeof ConversationEvents>;
export const ConversationDeltas = z.object({
  conversationId: ConversationId,
  deltas: z.array(Delta).min(1),
});
export type ConversationDeltas = z.infer<typeof ConversationDeltas>;
/** Changed rows of the board; the page keeps the larger version. */
export const BoardRows = z.object({
  conversations: z.array(Conversation),
  deleted: z.array(ConversationId).default([]),
});
export type BoardRows = z.infer<typeof BoardRows>;
/** Requests that opened, changed or closed, each as it stands now; those in `closed` leave the inbox. */
export const InboxChange = z.object({
  entries: z.array(InboxEntry),
  closed: z.array(RequestId),
  now: Instant,
});
export type InboxChange = z.infer<typeof InboxChange>;
export const RelayChange = z.object({ relay: Relay });
export type RelayChange = z.infer<typeof RelayChange>;
/** S1: all that stand, newest first. */
export const LinkAlarms = z.object({ alarms: z.array(LinkAlarm) });
export type LinkAlarms = z.infer<typeof LinkAlarms>;
/** S5: what is wrong with the hub's certificate now; absent where nothing is. */
export const CertificateState = z.object({ trouble: CertificateTrouble.optional() });
export type CertificateState = z.infer<typeof CertificateState>;
/** Sent on connecting and after a gap: what the page needs before anything else. */
export const DeviceSnapshot = z.object({
  /** What a page holds of another incarnation is void (link rule 10). */
  incarnation: Incarnation.optional(),
  /** When the hub found that its database had been put back to an older state, where it was. */
  restoredAt: Instant.optional(),
  inbox: Inbox,
  relays: z.array(Relay),
  linkAlarms: z.array(LinkAlarm).default([]),
  certificateTrouble: CertificateTrouble.optional(),
  /** The first page of the board. */
  board: z.object({
    conversations: z.array(Conversation).max(LIMITS.boardPage),
    next: BoardCursor.optional(),
    total: z.number().int(),
  }),
  now: Instant,
});
export type DeviceSnapshot = z.infer<typeof DeviceSnapshot>;

export interface HubToDeviceEvents {
  snapshot(snapshot: DeviceSnapshot): void;
  events(batch: ConversationEvents): void;
  deltas(batch: ConversationDeltas): void;
  'board-rows'(rows: BoardRows): void;
  inbox(change: InboxChange): void;
  relay(change: RelayChange): void;
  'link-alarms'(told: LinkAlarms): void;
  certificate(state: CertificateState): void;
  /** The device was revoked or its token ended; the socket closes after it. */
  'signed-out'(why: { reason: 'revoked' | 'token-ended' }): void;
}
export interface DeviceToHubEvents {
  'open-conversation'(open: OpenConversation, reply: (answer: OpenedConversation) => void): void;
  'close-conversation'(close: z.infer<typeof CloseConversation>): void;
  'renew-token'(renew: z.infer<typeof RenewToken>, reply: (answer: { ok: boolean }) => void): void;
}
/** The schema of each event that the hub sends; the page parses on receipt. */
export const HUB_TO_DEVICE: { [E in keyof HubToDeviceEvents]: z.ZodType } = {
  snapshot: DeviceSnapshot,
  events: ConversationEvents,
  deltas: ConversationDeltas,
  'board-rows': BoardRows,
  inbox: InboxChange,
  relay: RelayChange,
  'link-alarms': LinkAlarms,
  certificate: CertificateState,
  'signed-out': z.object({ reason: z.enum(['revoked', 'token-ended']) }),
};
