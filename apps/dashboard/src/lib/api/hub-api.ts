import {
  ROUTES,
  type BoardCursor,
  type Card,
  type ChangeMode,
  type ConversationId,
  type Decision,
  type DeviceId,
  type MessageId,
  type PasskeyId,
  type PasskeyProof,
  type RegisterPasskey,
  type RelayId,
  type RequestId,
  type RequirePasskeys,
  type Route,
  type RouteName,
  type StartConversation,
} from '#contracts';
import { z } from 'zod';
import { type DeviceSession } from '../auth/device-session.js';
import { httpCall, type Fetch, type HttpCall } from './http-call.js';
import { HubRefusal } from './hub-refusal.js';

/** Which rows of the board to fetch. */
export interface BoardWish {
  readonly search?: string;
  readonly archived: boolean;
  readonly after?: BoardCursor | undefined;
  readonly limit: number;
}

/** What goes into a route's path, behind it, and into its body. */
interface Filling {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

type AnswerOf<N extends RouteName> = (typeof ROUTES)[N] extends {
  answer: infer S extends z.ZodType;
}
  ? z.infer<S>
  : unknown;

const OLDER_EVENTS = 300;

/** A route's call, with its parameters put in. */
export function callOf(name: RouteName, { params = {}, query = {}, body }: Filling): HttpCall {
  const route: Route = ROUTES[name];
  const path = route.path.replace(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString();
  return {
    method: route.method,
    path: search === '' ? path : `${path}?${search}`,
    ...(body === undefined ? {} : { body }),
  };
}

/** The hub's HTTP API as the page uses it; every method throws HubRefusal, HubUnreachable or HubUnreadable. */
export class HubApi {
  constructor(
    private readonly session: DeviceSession,
    private readonly fetch?: Fetch,
  ) {}

  devices() {
    return this.#call('devices');
  }
  renameDevice(id: DeviceId, name: string) {
    return this.#call('renameDevice', { params: { id }, body: { name } });
  }
  revokeDevice(id: DeviceId) {
    return this.#call('revokeDevice', { params: { id } });
  }
  acknowledgeLinkAlarms() {
    return this.#call('acknowledgeLinkAlarms');
  }
  passkeys() {
    return this.#call('passkeys');
  }
  passkeyNonce() {
    return this.#call('passkeyNonce');
  }
  registerPasskey(body: RegisterPasskey) {
    return this.#call('registerPasskey', { body });
  }
  requirePasskeys(body: RequirePasskeys) {
    return this.#call('requirePasskeys', { body });
  }
  removePasskey(id: PasskeyId, proof: PasskeyProof) {
    return this.#call('removePasskey', { params: { id }, body: { proof } });
  }
  makePairingLink() {
    return this.#call('pairingLink');
  }

  folders(id: RelayId, path?: string) {
    return this.#call('relayFolders', { params: { id }, query: { path } });
  }
  recentFolders(relayId: RelayId) {
    return this.#call('recentFolders', { query: { relayId } });
  }
  resetRelay(id: RelayId) {
    return this.#call('resetRelay', { params: { id } });
  }
  configureProvider(id: RelayId, provider: string, values: Record<string, string>) {
    return this.#call('providerSettings', { params: { id, provider }, body: { values } });
  }

  board({ search, archived, after, limit }: BoardWish) {
    return this.#call('board', { query: { search, archived, limit, ...after } });
  }
  start(conversation: StartConversation) {
    return this.#call('startConversation', { body: conversation });
  }
  olderEvents(id: ConversationId, before: number) {
    return this.#call('events', { params: { id }, query: { before, limit: OLDER_EVENTS } });
  }
  rename(id: ConversationId, title: string) {
    return this.#call('renameConversation', { params: { id }, body: { title } });
  }
  remove(id: ConversationId) {
    return this.#call('deleteConversation', { params: { id } });
  }
  archive(id: ConversationId, archived: boolean) {
    return this.#call('archiveConversation', { params: { id }, body: { archived } });
  }
  send(id: ConversationId, message: { messageId: MessageId; text: string }) {
    return this.#call('sendMessage', { params: { id }, body: message });
  }
  cancelMessage(id: ConversationId, messageId: string) {
    return this.#call('cancelMessage', { params: { id, messageId } });
  }
  stop(id: ConversationId) {
    return this.#call('stop', { params: { id } });
  }
  changeMode(id: ConversationId, change: ChangeMode) {
    return this.#call('changeMode', { params: { id }, body: change });
  }

  /** @param passkey where the person's decisions need one: of the same text */
  async decide(card: Pick<Card, 'id' | 'version'>, decision: Decision, passkey?: PasskeyProof) {
    const { id, version } = card;
    const signature = await this.session.signDecision({ cardId: id, version, decision });
    const signed = { version, signature, passkey };
    switch (decision.kind) {
      case 'skip':
        return this.#call('skipCard', { params: { id }, body: signed });
      case 'verdict':
        return this.#call('decideCard', {
          params: { id },
          body: { ...signed, verdict: decision.verdict },
        });
      case 'answer':
        return this.#call('answerCard', {
          params: { id },
          body: { ...signed, answer: decision.answer },
        });
    }
  }
  revokeGrant(id: ConversationId, grantId: string) {
    return this.#call('revokeGrant', { params: { id, grantId } });
  }
  extend(id: RequestId, by: number) {
    return this.#call('extendDeadline', { params: { id }, body: { by } });
  }

  async #call<N extends RouteName>(name: N, filling: Filling = {}): Promise<AnswerOf<N>> {
    const route: Route = ROUTES[name];
    const answer = await this.#asThisDevice(route.answer ?? z.unknown(), callOf(name, filling));
    return answer as AnswerOf<N>;
  }

  /** A token may have ended in the meantime (a suspended laptop): one new one is tried. */
  async #asThisDevice(schema: z.ZodType, call: HttpCall): Promise<unknown> {
    const token = await this.session.token();
    try {
      return await httpCall(schema, { ...call, token }, this.fetch);
    } catch (error) {
      if (!(error instanceof HubRefusal) || error.code !== 'UNAUTHENTICATED') throw error;
      this.session.dropToken();
      return httpCall(schema, { ...call, token: await this.session.token() }, this.fetch);
    }
  }
}
