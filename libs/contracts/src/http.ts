import { z } from 'zod';
import { Verdict } from './actions.js';
import { Answer, CardRequest } from './cards.js';
import { BoardCursor, Conversation, QueuedMessage } from './conversations.js';
import { StoredEvent } from './events.js';
import {
  CardId,
  ConversationId,
  DeviceId,
  Duration,
  Instant,
  MessageId,
  ProviderId,
  RelayId,
  Sequence,
} from './ids.js';
import { LIMITS } from './limits.js';
import { PasskeyProof } from './passkeys.js';
import { RelayMode } from './modes.js';
import { ProviderOnRelay } from './providers.js';
import { DevicePublicKey, Signature } from './signing.js';
import { storableText } from './text.js';

/** GET /api/info, open to anyone who reaches the hub. */
export const HubInfo = z.object({
  name: z.literal('coxswain'),
  version: z.string(),
  /** True when its agents talk to a scripted model; the page says so. */
  demo: z.boolean(),
});
export type HubInfo = z.infer<typeof HubInfo>;

/**
 * S5: what is wrong with the certificate that the hub shows, or with the files that were to replace it; the one in use
 * stays until they are whole.
 */
export const CertificateTrouble = z.object({
  kind: z.enum([
    /** A file can't be read, or is no PEM. */
    'unreadable',
    /** The key is not the certificate's. */
    'not-a-pair',
    /** It is for another name than the one that was declared. */
    'other-name',
    'not-yet-valid',
    'expired',
    /** It still holds, but not for long. */
    'ends-soon',
  ]),
  /** Path of the certificate's file on the hub's machine. */
  file: z.string().max(LIMITS.folder),
  /** When the certificate in use ends. */
  endsAt: Instant,
});
export type CertificateTrouble = z.infer<typeof CertificateTrouble>;

/** POST /api/sign-in: spends a one-time link. */
export const SignIn = z.object({
  secret: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be the secret of a sign-in link'),
  name: storableText(LIMITS.deviceName, 1),
  publicKey: DevicePublicKey,
  /** Over {@link signInText}. */
  signature: Signature,
});
export type SignIn = z.infer<typeof SignIn>;
export const SignedIn = z.object({ deviceId: DeviceId });
export type SignedIn = z.infer<typeof SignedIn>;

/** POST /api/devices/challenge */
export const AskChallenge = z.object({ deviceId: DeviceId });
export type AskChallenge = z.infer<typeof AskChallenge>;
export const Challenge = z.object({ challenge: z.string(), expiresIn: Duration });
export type Challenge = z.infer<typeof Challenge>;

/** POST /api/devices/token */
export const AskToken = z.object({
  deviceId: DeviceId,
  challenge: z.string().max(200),
  /** Over {@link challengeText}. */
  signature: Signature,
});
export type AskToken = z.infer<typeof AskToken>;
export const AccessToken = z.object({ accessToken: z.string(), expiresIn: Duration });
export type AccessToken = z.infer<typeof AccessToken>;

export const Device = z.object({
  id: DeviceId,
  name: storableText(LIMITS.deviceName),
  createdAt: Instant,
  lastSeenAt: Instant,
  revokedAt: Instant.optional(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type Device = z.infer<typeof Device>;
/** PATCH /api/devices/:id */
export const RenameDevice = z.object({ name: storableText(LIMITS.deviceName, 1) });
export type RenameDevice = z.infer<typeof RenameDevice>;
export const Devices = z.object({ devices: z.array(Device) });
export type Devices = z.infer<typeof Devices>;
/** S1: a link that was spent, and that somebody used again; it stays until it is acknowledged. */
export const LinkAlarm = z.object({
  at: Instant,
  /** The name that whoever used it gave. */
  name: storableText(LIMITS.deviceName),
});
export type LinkAlarm = z.infer<typeof LinkAlarm>;

/** POST /api/devices/pairing-links: the page puts the secret into a fragment, which no server sees. */
export const PairingLink = z.object({
  secret: z.string(),
  expiresIn: Duration,
  /** Where other machines reach the page; absent where nothing but the loopback was declared. */
  origin: z.url().optional(),
});
export type PairingLink = z.infer<typeof PairingLink>;

export const Relay = z.object({
  id: RelayId,
  name: storableText(LIMITS.title),
  attached: z.boolean(),
  /** Since when it is attached or away. */
  since: Instant,
  version: z.string(),
  providers: z.array(ProviderOnRelay),
  /** Link rule 7: when another program that has this relay's key was last refused, where one was. */
  contestedAt: Instant.optional(),
});
export type Relay = z.infer<typeof Relay>;
export const Relays = z.object({ relays: z.array(Relay) });
export type Relays = z.infer<typeof Relays>;

/** POST /api/conversations */
export const StartConversation = z.object({
  relayId: RelayId,
  provider: ProviderId,
  engine: z.string().max(40).optional(),
  model: z.string().min(1).max(200).optional(),
  folder: storableText(LIMITS.folder, 1),
  mode: RelayMode,
  title: storableText(LIMITS.title, 1).optional(),
  firstMessage: z.object({ messageId: MessageId, text: storableText(LIMITS.messageText, 1) }),
});
export type StartConversation = z.infer<typeof StartConversation>;

/** GET /api/conversations */
export const BoardQuery = z
  .object({
    search: storableText(LIMITS.search).optional(),
    archived: z.enum(['true', 'false']).default('false'),
    /** With `id`: where the page before ended. */
    lastEventAt: z.coerce.number().pipe(Instant).optional(),
    id: ConversationId.optional(),
    limit: z.coerce.number().int().min(1).max(LIMITS.boardPage).default(50),
  })
  .refine(({ lastEventAt, id }) => (lastEventAt === undefined) === (id === undefined), {
    path: ['id'],
    message: 'lastEventAt and id must both be there, or neither',
  });
export type BoardQuery = z.infer<typeof BoardQuery>;
export const boardCursorOf = (query: BoardQuery): BoardCursor | undefined => {
  const parsed = BoardCursor.safeParse({ lastEventAt: query.lastEventAt, id: query.id });
  return parsed.success ? parsed.data : undefined;
};

/** GET /api/folders/recent: a folder is one of a relay's machine. */
export const RecentFoldersQuery = z.object({ relayId: RelayId });
export type RecentFoldersQuery = z.infer<typeof RecentFoldersQuery>;
export const RecentFolders = z.object({ folders: z.array(z.string()).max(20) });
export type RecentFolders = z.infer<typeof RecentFolders>;

/** POST /api/conversations/:id/messages */
export const SendMessage = z.object({
  messageId: MessageId,
  text: storableText(LIMITS.messageText, 1),
});
export type SendMessage = z.infer<typeof SendMessage>;
/** PATCH /api/conversations/:id */
export const RenameConversation = z.object({ title: storableText(LIMITS.title, 1) });
export type RenameConversation = z.infer<typeof RenameConversation>;
/** PUT /api/conversations/:id/archived */
export const ArchiveConversation = z.object({ archived: z.boolean() });
export type ArchiveConversation = z.infer<typeof ArchiveConversation>;
/** PUT /api/conversations/:id/mode; `version` is the one that the page shows (C15's like for modes). */
export const ChangeMode = z.object({ mode: RelayMode, version: Sequence });
export type ChangeMode = z.infer<typeof ChangeMode>;

/** An open conversation as the page shows it first. */
export const ConversationPage = z.object({
  conversation: Conversation,
  /** The newest events, oldest first. */
  events: z.array(StoredEvent),
  /** Whether there are older ones than `events`. */
  more: z.boolean(),
  queue: z.array(QueuedMessage),
  requests: z.array(CardRequest),
  /** The database's clock, for the time left on cards. */
  now: Instant,
});
export type ConversationPage = z.infer<typeof ConversationPage>;

/** GET /api/conversations/:id/events?before=n */
export const EventsQuery = z.object({
  before: z.coerce.number().pipe(Sequence),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});
export type EventsQuery = z.infer<typeof EventsQuery>;
export const EventsPage = z.object({ events: z.array(StoredEvent), more: z.boolean() });
export type EventsPage = z.infer<typeof EventsPage>;

/** A request that waits, with what the inbox shows of its conversation. */
export const InboxEntry = z.object({
  request: CardRequest,
  conversation: Conversation.pick({
    id: true,
    title: true,
    provider: true,
    relayId: true,
    mode: true,
    folder: true,
  }),
});
export type InboxEntry = z.infer<typeof InboxEntry>;
/** GET /api/inbox: always the whole; nearest deadline first, then longest waiting (D1). */
export const Inbox = z.object({ entries: z.array(InboxEntry), now: Instant });
export type Inbox = z.infer<typeof Inbox>;

/** POST /api/cards/:id/answer */
export const AnswerCard = z.object({
  version: Sequence,
  answer: Answer,
  /** Over {@link decisionText}. */
  signature: Signature,
  /** S1: of the same text, where the person's decisions need it. */
  passkey: PasskeyProof.optional(),
});
export type AnswerCard = z.infer<typeof AnswerCard>;
/** POST /api/cards/:id/skip */
export const SkipCard = z.object({
  version: Sequence,
  signature: Signature,
  passkey: PasskeyProof.optional(),
});
export type SkipCard = z.infer<typeof SkipCard>;
/** POST /api/cards/:id/verdict */
export const DecideCard = z.object({
  version: Sequence,
  verdict: Verdict,
  /** Over {@link decisionText}. */
  signature: Signature,
  /** S1: of the same text, where the person's decisions need it. */
  passkey: PasskeyProof.optional(),
});
export type DecideCard = z.infer<typeof DecideCard>;
/** The request as it stands after the decision. */
export const CardDecided = z.object({ cardId: CardId, request: CardRequest });
export type CardDecided = z.infer<typeof CardDecided>;
/** POST /api/requests/:id/extend */
export const ExtendDeadline = z.object({ by: Duration.min(60_000).max(7 * 24 * 60 * 60 * 1000) });
export type ExtendDeadline = z.infer<typeof ExtendDeadline>;
/** PUT /api/relays/:id/providers/:provider/settings */
export const ProviderSettings = z.object({
  values: z.record(z.string().max(60), storableText(4_000)),
});
export type ProviderSettings = z.infer<typeof ProviderSettings>;
