import {
  createPrivateKey,
  generateKeyPairSync,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import { io, type Socket } from 'socket.io-client';
import {
  challengeText,
  DEVICE_NAMESPACE,
  DEVICE_PROTOCOL,
  decisionText,
  HUB_TO_DEVICE,
  signInText,
  type AccessToken,
  type Answer,
  type Card,
  type CardRequest,
  type Challenge,
  type Conversation,
  type ConversationId,
  type Decision,
  type DeviceId,
  type DevicePublicKey,
  type DeviceToHubEvents,
  type HubToDeviceEvents,
  type OpenedConversation,
  type ProviderId,
  type RelayId,
  type SignedIn,
  type StoredEvent,
} from '#contracts';
import { Heard } from './heard.js';

/** An answer of the hub's HTTP API. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
}

/** What a device hears, parsed with the contracts as the page does. */
export type DeviceEvent = {
  [E in keyof HubToDeviceEvents]: {
    readonly event: E;
    readonly payload: Parameters<HubToDeviceEvents[E]>[0];
  };
}[keyof HubToDeviceEvents];
type EventOf<E extends keyof HubToDeviceEvents> = Extract<DeviceEvent, { event: E }>;

/** A device as the dashboard is one: a key, a token, a socket. */
export class DeviceClient {
  readonly heard = new Heard<DeviceEvent>();
  deviceId = '' as DeviceId;
  token = '';
  socket: Socket<HubToDeviceEvents, DeviceToHubEvents> | undefined;
  private readonly key: KeyObject;
  private readonly publicKey: DevicePublicKey;

  constructor(
    readonly url: string,
    readonly name: string,
    private readonly origin = url,
  ) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
    this.publicKey = { kty: 'EC', crv: 'P-256', x, y };
  }

  /** Signs in with a link's secret and gets a token. */
  async signIn(secret: string): Promise<HttpAnswer> {
    const { name, publicKey, origin } = this;
    const signature = this.sign(signInText({ origin, secret, name }));
    const answer = await this.post('/api/sign-in', { secret, name, publicKey, signature });
    if (answer.status !== 200) return answer;
    this.deviceId = (answer.body as SignedIn).deviceId;
    await this.renew();
    return answer;
  }

  /** A token for a signed challenge. */
  async renew(): Promise<HttpAnswer> {
    const { deviceId, origin } = this;
    const asked = await this.post('/api/devices/challenge', { deviceId });
    const { challenge } = asked.body as Challenge;
    const signature = this.sign(challengeText({ origin, deviceId, challenge }));
    const answer = await this.post('/api/devices/token', { deviceId, challenge, signature });
    if (answer.status === 200) this.token = (answer.body as AccessToken).accessToken;
    return answer;
  }

  sign(text: string): string {
    const key = { key: this.key, dsaEncoding: 'ieee-p1363' } as const;
    return sign('sha256', Buffer.from(text), key).toString('base64url');
  }

  get(path: string): Promise<HttpAnswer> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown): Promise<HttpAnswer> {
    return this.call('POST', path, body === undefined ? undefined : JSON.stringify(body));
  }

  /** @param body as it goes over the wire */
  async call(method: string, path: string, body?: string): Promise<HttpAnswer> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        origin: this.origin,
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const parsed: unknown = isJson ? JSON.parse(text) : text;
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /** Connects and waits for the snapshot. */
  async connect(): Promise<EventOf<'snapshot'>['payload']> {
    this.heard.clear();
    const socket: Socket<HubToDeviceEvents, DeviceToHubEvents> = io(this.url + DEVICE_NAMESPACE, {
      transports: ['websocket'],
      extraHeaders: { origin: this.origin },
      forceNew: true,
      reconnection: false,
      auth: { token: this.token, protocol: DEVICE_PROTOCOL },
    });
    this.socket = socket;
    for (const event of Object.keys(HUB_TO_DEVICE) as (keyof HubToDeviceEvents)[]) {
      socket.on(event, (payload: unknown) => {
        this.heard.add({ event, payload: HUB_TO_DEVICE[event].parse(payload) } as DeviceEvent);
      });
    }
    const refused = new Promise<never>((_, reject) => {
      socket.once('connect_error', reject);
      socket.once('disconnect', (reason) => reject(new Error(reason)));
    });
    refused.catch(() => undefined);
    return Promise.race([this.hear('snapshot'), refused]);
  }

  /** The first event of a name that fits. */
  async hear<E extends keyof HubToDeviceEvents>(
    event: E,
    fits: (payload: EventOf<E>['payload']) => boolean = () => true,
  ): Promise<EventOf<E>['payload']> {
    const heard = await this.heard.until(
      (item): item is EventOf<E> =>
        item.event === event && fits(item.payload as EventOf<E>['payload']),
    );
    return heard.payload as EventOf<E>['payload'];
  }

  /** The first stored event of an open conversation that fits. */
  async hearEvent(fits: (event: StoredEvent) => boolean): Promise<StoredEvent> {
    const batch = await this.hear('events', (heard) => heard.events.some(fits));
    const found = batch.events.find(fits);
    if (found === undefined) throw new Error('an event was heard and is not there');
    return found;
  }

  /** The next open request of a conversation that the inbox is told of. */
  async hearRequest(conversationId: ConversationId): Promise<CardRequest> {
    const mine = (request: CardRequest): boolean =>
      request.conversationId === conversationId && request.status === 'open';
    const change = await this.hear('inbox', ({ entries }) =>
      entries.some(({ request }) => mine(request)),
    );
    const entry = change.entries.find(({ request }) => mine(request));
    if (entry === undefined) throw new Error('a request was heard and is not there');
    return entry.request;
  }

  open(conversationId: ConversationId, after = 0): Promise<OpenedConversation> {
    if (this.socket === undefined) throw new Error('not connected');
    return this.socket.timeout(10_000).emitWithAck('open-conversation', { conversationId, after });
  }

  answer(card: Pick<Card, 'id' | 'version'>, answer: Answer): Promise<HttpAnswer> {
    const signature = this.signDecision(card, { kind: 'answer', answer });
    const body = { version: card.version, answer, signature };
    return this.post(`/api/cards/${card.id}/answer`, body);
  }

  skip(card: Pick<Card, 'id' | 'version'>): Promise<HttpAnswer> {
    const signature = this.signDecision(card, { kind: 'skip' });
    return this.post(`/api/cards/${card.id}/skip`, { version: card.version, signature });
  }

  signDecision(card: Pick<Card, 'id' | 'version'>, decision: Decision): string {
    return this.sign(decisionText({ cardId: card.id, version: card.version, decision }));
  }

  /** Starts a conversation and gives its row; throws what the hub refused it with. */
  async start(of: {
    relayId: RelayId;
    provider: ProviderId;
    text?: string;
  }): Promise<Conversation> {
    const { relayId, provider, text = 'Build it.' } = of;
    const firstMessage = { messageId: randomUUID(), text };
    const body = { relayId, provider, folder: '/home/me/project', mode: 'autopilot', firstMessage };
    const answer = await this.post('/api/conversations', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body as Conversation;
  }

  close(): void {
    this.socket?.disconnect();
  }
}
