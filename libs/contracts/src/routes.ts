import { z } from 'zod';
import { BoardPage, Conversation } from './conversations.js';
import * as http from './http.js';
import {
  CardId,
  ConversationId,
  DeviceId,
  MessageId,
  ProviderId,
  RelayId,
  RequestId,
} from './ids.js';
import { CardRequest } from './cards.js';
import { ProviderStatus } from './providers.js';
import { FolderListing, ListFolders } from './relay-link.js';

/** One route of the hub's HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for each parameter. */
  readonly path: `/${string}`;
  /** Who may call it (S2); agents, relays and chat identities may call none of these. */
  readonly for: 'anyone' | 'device' | 'collector';
  readonly summary: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What comes back with status 200; absent where 204 without a body. */
  readonly answer?: z.ZodType;
}

const ofConversation = { id: ConversationId };
const ofDevice = { id: DeviceId };

/** Every route: the hub's controllers serve exactly these, and the OpenAPI document is made from them. */
export const ROUTES = {
  info: {
    method: 'GET',
    path: '/api/info',
    for: 'anyone',
    summary: 'What answers here.',
    answer: http.HubInfo,
  },
  openapi: {
    method: 'GET',
    path: '/api/openapi.json',
    for: 'anyone',
    summary: 'This document.',
    answer: z.record(z.string(), z.unknown()),
  },
  signIn: {
    method: 'POST',
    path: '/api/sign-in',
    for: 'anyone',
    summary: 'Spends a one-time link and registers the key of a device.',
    body: http.SignIn,
    answer: http.SignedIn,
  },
  challenge: {
    method: 'POST',
    path: '/api/devices/challenge',
    for: 'anyone',
    summary: 'A random text for a device to sign, good once and for a minute.',
    body: http.AskChallenge,
    answer: http.Challenge,
  },
  token: {
    method: 'POST',
    path: '/api/devices/token',
    for: 'anyone',
    summary: 'An access token of ten minutes for a signed challenge.',
    body: http.AskToken,
    answer: http.AccessToken,
  },
  devices: {
    method: 'GET',
    path: '/api/devices',
    for: 'device',
    summary: "The person's devices.",
    answer: http.Devices,
  },
  pairingLink: {
    method: 'POST',
    path: '/api/devices/pairing-links',
    for: 'device',
    summary: 'The secret of a one-time link that signs another device in.',
    answer: http.PairingLink,
  },
  acknowledgeLinkAlarms: {
    method: 'POST',
    path: '/api/devices/link-alarms/acknowledged',
    for: 'device',
    summary: 'A person has seen that spent links were used again.',
  },
  renameDevice: {
    method: 'PATCH',
    path: '/api/devices/:id',
    for: 'device',
    summary: 'Gives a device another name.',
    params: ofDevice,
    body: http.RenameDevice,
    answer: http.Device,
  },
  revokeDevice: {
    method: 'DELETE',
    path: '/api/devices/:id',
    for: 'device',
    summary: 'Takes all rights from a device and closes its sockets.',
    params: ofDevice,
  },
  inbox: {
    method: 'GET',
    path: '/api/inbox',
    for: 'device',
    summary: 'Every open request, nearest deadline first.',
    answer: http.Inbox,
  },
  board: {
    method: 'GET',
    path: '/api/conversations',
    for: 'device',
    summary: 'A page of the conversations, newest first.',
    query: http.BoardQuery,
    answer: BoardPage,
  },
  startConversation: {
    method: 'POST',
    path: '/api/conversations',
    for: 'device',
    summary: 'Starts a conversation; repeated with the same message id it gives the same one.',
    body: http.StartConversation,
    answer: Conversation,
  },
  conversation: {
    method: 'GET',
    path: '/api/conversations/:id',
    for: 'device',
    summary: 'A conversation with its newest events, its queue and its open requests.',
    params: ofConversation,
    answer: http.ConversationPage,
  },
  renameConversation: {
    method: 'PATCH',
    path: '/api/conversations/:id',
    for: 'device',
    summary: 'Gives a conversation another title.',
    params: ofConversation,
    body: http.RenameConversation,
    answer: Conversation,
  },
  deleteConversation: {
    method: 'DELETE',
    path: '/api/conversations/:id',
    for: 'device',
    summary: 'Ends the agent and removes the conversation.',
    params: ofConversation,
  },
  archiveConversation: {
    method: 'PUT',
    path: '/api/conversations/:id/archived',
    for: 'device',
    summary: 'Puts a conversation into the archive or takes it out.',
    params: ofConversation,
    body: http.ArchiveConversation,
    answer: Conversation,
  },
  changeMode: {
    method: 'PUT',
    path: '/api/conversations/:id/mode',
    for: 'device',
    summary: 'Changes the relay mode.',
    params: ofConversation,
    body: http.ChangeMode,
    answer: Conversation,
  },
  events: {
    method: 'GET',
    path: '/api/conversations/:id/events',
    for: 'device',
    summary: 'Older events of a conversation.',
    params: ofConversation,
    query: http.EventsQuery,
    answer: http.EventsPage,
  },
  sendMessage: {
    method: 'POST',
    path: '/api/conversations/:id/messages',
    for: 'device',
    summary: 'Sends a message to the agent; it waits while something runs or waits.',
    params: ofConversation,
    body: http.SendMessage,
    answer: Conversation,
  },
  cancelMessage: {
    method: 'DELETE',
    path: '/api/conversations/:id/messages/:messageId',
    for: 'device',
    summary: 'Takes a message out of the queue.',
    params: { id: ConversationId, messageId: MessageId },
    answer: Conversation,
  },
  stop: {
    method: 'POST',
    path: '/api/conversations/:id/stop',
    for: 'device',
    summary: 'Interrupts the turn.',
    params: ofConversation,
    answer: Conversation,
  },
  answerCard: {
    method: 'POST',
    path: '/api/cards/:id/answer',
    for: 'device',
    summary: 'Answers a card; the first one wins, and the others are told who it was.',
    params: { id: CardId },
    body: http.AnswerCard,
    answer: http.CardDecided,
  },
  skipCard: {
    method: 'POST',
    path: '/api/cards/:id/skip',
    for: 'device',
    summary: 'Skips a card.',
    params: { id: CardId },
    body: http.SkipCard,
    answer: http.CardDecided,
  },
  extendDeadline: {
    method: 'POST',
    path: '/api/requests/:id/extend',
    for: 'device',
    summary: 'Lets a request wait longer.',
    params: { id: RequestId },
    body: http.ExtendDeadline,
    answer: CardRequest,
  },
  recentFolders: {
    method: 'GET',
    path: '/api/folders/recent',
    for: 'device',
    summary: 'Folders of the newest conversations on a relay.',
    query: http.RecentFoldersQuery,
    answer: http.RecentFolders,
  },
  relays: {
    method: 'GET',
    path: '/api/relays',
    for: 'device',
    summary: 'The relays with their providers.',
    answer: http.Relays,
  },
  relayFolders: {
    method: 'GET',
    path: '/api/relays/:id/folders',
    for: 'device',
    summary: "Folders of a relay's machine, asked from the relay itself.",
    params: { id: RelayId },
    query: ListFolders,
    answer: FolderListing,
  },
  resetRelay: {
    method: 'POST',
    path: '/api/relays/:id/reset',
    for: 'device',
    summary: 'Ends the connection of a relay and takes whoever proves its key next.',
    params: { id: RelayId },
    answer: http.Relay,
  },
  providerSettings: {
    method: 'PUT',
    path: '/api/relays/:id/providers/:provider/settings',
    for: 'device',
    summary: "Sets a provider's settings on a relay; an empty text removes a value.",
    params: { id: RelayId, provider: ProviderId },
    body: http.ProviderSettings,
    answer: ProviderStatus,
  },
  healthy: {
    method: 'GET',
    path: '/healthz',
    for: 'anyone',
    summary: 'Whether the process answers.',
    answer: z.object({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/readyz',
    for: 'anyone',
    summary: 'Whether the database can be reached; 503 otherwise.',
    answer: z.object({ status: z.literal('ok') }),
  },
  metrics: {
    method: 'GET',
    path: '/metrics',
    for: 'collector',
    summary: "The hub's figures in Prometheus' text format.",
    answer: z.string(),
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;
