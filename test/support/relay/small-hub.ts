import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';
import {
  ConversationId,
  MessageId,
  ProviderId,
  RELAY_NAMESPACE,
  RelayEnvelope,
  RelayId,
  hubProofText,
  type HubMessage,
  type HubToRelayEvents,
  type ProviderStatus,
  type RelayAttach,
  type RelayDeltas,
  type RelayMessage,
  type Refused,
  type RelayMessageOf,
  type RelayToHubEvents,
  type TurnState,
} from '#contracts';
import { cursorsOf, type Line } from './hub-line.js';
import { HubSight } from './hub-sight.js';

type RelaySocket = Socket<RelayToHubEvents, HubToRelayEvents>;

/**
 * The least that a hub has to be for a relay: it proves itself, keeps what it got by number, hands out what it
 * has until that is acknowledged, and refuses what the contract refuses. Everything in memory.
 */
export class SmallHub {
  readonly attaches: RelayAttach[] = [];
  readonly statuses: ProviderStatus[] = [];
  readonly deltas: RelayDeltas['deltas'] = [];
  /** Sizes of the frames that came with messages, in bytes of JSON. */
  readonly frames: number[] = [];
  /** Where false, messages are taken in but not acknowledged. */
  acknowledges = true;
  /** Where set, refuses a message as something that can't be stored. */
  refuses: (message: RelayMessage) => boolean = () => false;
  /** The reason that it gives then. */
  refusal = 'not storable';
  readonly #lines = new Map<ConversationId, Line>();
  readonly #stale = new Set<ConversationId>();
  readonly #events = new EventEmitter();
  readonly #relayId = RelayId.parse(randomUUID());
  #keys = generateKeyPairSync('ed25519');
  #http: HttpServer | undefined;
  #io: Server<RelayToHubEvents, HubToRelayEvents> | undefined;
  #socket: RelaySocket | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get publicKey(): string {
    return this.#keys.publicKey.export({ format: 'jwk' }).x ?? '';
  }

  async start(): Promise<this> {
    this.#http = createServer();
    this.#io = new Server(this.#http, { transports: ['websocket'] });
    this.#io.of(RELAY_NAMESPACE).on('connection', (socket: RelaySocket) => this.#serve(socket));
    this.#http.listen(this.#port, '127.0.0.1');
    await once(this.#http, 'listening');
    this.#port = (this.#http.address() as AddressInfo).port;
    return this;
  }

  /** Ends as a killed hub does; {@link start} brings it back on the same port with all it had. */
  async stop(): Promise<void> {
    await this.#io?.close();
    this.#socket = undefined;
  }

  /** Cuts the connection; the relay comes back by itself. */
  cut(): void {
    this.#socket?.conn.close();
  }

  /** Becomes another hub at the same address. */
  changeKey(): void {
    this.#keys = generateKeyPairSync('ed25519');
  }

  /** Assigns a conversation to the relay. */
  assign(of: { id?: ConversationId; epoch?: number; folder?: string } = {}): ConversationId {
    const id = of.id ?? ConversationId.parse(randomUUID());
    const sight = new HubSight();
    this.#lines.set(id, { epoch: of.epoch ?? 1, sight, received: [], sent: 0, outbox: [] });
    this.give(id, {
      kind: 'assign',
      session: {
        provider: ProviderId.parse('puppet'),
        folder: of.folder ?? '/tmp',
        mode: 'autopilot',
        modeVersion: 1,
      },
    });
    return id;
  }

  /** Takes the conversation away from the relay. */
  takeAway(id: ConversationId): void {
    this.#stale.add(id);
  }

  /** Sends a message, and gives back its number. */
  give(id: ConversationId, message: HubMessage): number {
    const line = this.#line(id);
    line.sent += 1;
    line.sight.gave(message);
    const envelope = { conversationId: id, epoch: line.epoch, n: line.sent, message };
    line.outbox.push(envelope);
    this.#socket?.emit('messages', { messages: [envelope] });
    return line.sent;
  }

  say(id: ConversationId, text: string): MessageId {
    const messageId = MessageId.parse(randomUUID());
    this.give(id, { kind: 'send-message', messageId, text });
    return messageId;
  }

  /** A person's message: goes out as soon as the domain lets it (C17). */
  queue(id: ConversationId, text: string): MessageId {
    const messageId = MessageId.parse(randomUUID());
    this.#line(id).sight.queue.push({ messageId, text });
    this.#handOut(id, { personActs: true });
    return messageId;
  }

  /** The turn that the hub counts on. */
  turn(id: ConversationId): TurnState {
    return this.#line(id).sight.turn;
  }

  /** How many messages came and were taken. */
  get count(): number {
    return [...this.#lines.values()].reduce((sum, { received }) => sum + received.length, 0);
  }

  received(id: ConversationId): readonly RelayMessage[] {
    return this.#lines.get(id)?.received ?? [];
  }

  /** All messages of one kind that came so far. */
  all<K extends RelayMessage['kind']>(id: ConversationId, kind: K): RelayMessageOf<K>[] {
    return this.received(id).filter(
      (message): message is RelayMessageOf<K> => message.kind === kind,
    );
  }

  /** Whether the relay has acknowledged everything that it was given. */
  hasAllAcknowledged(id: ConversationId): boolean {
    return this.#line(id).outbox.length === 0;
  }

  /** Resolves as soon as the condition holds; it is looked at after everything that comes. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#events, 'something');
  }

  /** The nth message of a kind, from 0, once it has come. */
  async nth<K extends RelayMessage['kind']>(
    id: ConversationId,
    kind: K,
    nth = 0,
  ): Promise<RelayMessageOf<K>> {
    await this.until(() => this.all(id, kind).length > nth);
    const message = this.all(id, kind)[nth];
    if (message === undefined) throw new Error('it came, and now it is gone');
    return message;
  }

  /** Waits for a process to be in this state, as the newest that was said. */
  async process(id: ConversationId, state: RelayMessageOf<'process'>['state']): Promise<void> {
    await this.until(() => this.all(id, 'process').at(-1)?.state === state);
  }

  listFolders(path?: string): Promise<unknown> {
    const socket = this.#attached();
    return socket.emitWithAck('list-folders', path === undefined ? {} : { path });
  }

  configure(values: Record<string, string>): Promise<unknown> {
    const provider = ProviderId.parse('puppet');
    return this.#attached().emitWithAck('configure-provider', { provider, values });
  }

  /** Sends a frame as it is. */
  sendRaw(frame: unknown): void {
    this.#attached().emit('messages', frame as never);
  }

  #attached(): RelaySocket {
    if (this.#socket === undefined) throw new Error('no relay is attached');
    return this.#socket;
  }

  #serve(socket: RelaySocket): void {
    socket.on('hello', ({ relayKey, nonce }, reply) => {
      const proof = sign(
        null,
        Buffer.from(hubProofText({ relayNonce: nonce, relayKey })),
        this.#keys.privateKey,
      );
      reply({
        hubKey: this.publicKey,
        signature: proof.toString('base64url'),
        nonce: randomBytes(32).toString('base64url'),
      });
    });
    socket.on('attach', (attach, reply) => {
      this.attaches.push(attach);
      this.#socket = socket;
      reply({ relayId: this.#relayId, conversations: cursorsOf(attach, this.#lines, this.#stale) });
      for (const line of this.#lines.values()) {
        if (line.outbox.length > 0) socket.emit('messages', { messages: line.outbox });
      }
      this.#events.emit('something');
    });
    socket.on('messages', ({ messages }) => this.#take(socket, messages));
    socket.on('acknowledged', ({ upTo }) => {
      for (const { conversationId, n } of upTo) {
        const line = this.#line(conversationId);
        line.outbox = line.outbox.filter((envelope) => envelope.n > n);
      }
      this.#events.emit('something');
    });
    socket.on('deltas', ({ deltas }) => {
      this.deltas.push(...deltas);
      this.#events.emit('something');
    });
    socket.on('provider-status', (status) => {
      this.statuses.push(status);
      this.#events.emit('something');
    });
  }

  #take(socket: RelaySocket, messages: readonly unknown[]): void {
    this.frames.push(Buffer.byteLength(JSON.stringify({ messages })));
    for (const raw of messages) this.#takeOne(socket, RelayEnvelope.parse(raw));
    this.#events.emit('something');
  }

  #takeOne(socket: RelaySocket, { conversationId, epoch, n, message }: RelayEnvelope): void {
    const line = this.#line(conversationId);
    const refuse = (code: Refused['code'], reason: string): void => {
      const refused = [{ conversationId, epoch, n, code, reason }];
      socket.emit('acknowledged', { upTo: [], refused });
    };
    if (this.#stale.has(conversationId) || epoch !== line.epoch) {
      return refuse('STALE_EPOCH', 'not yours');
    }
    const next = n === line.received.length + 1;
    if (next && this.refuses(message)) return refuse('INVALID', this.refusal);
    if (next) {
      line.received.push(message);
      line.sight.took(message);
      this.#handOut(conversationId, { personActs: false });
    }
    if (!this.acknowledges) return;
    const upTo = [{ conversationId, epoch, n: line.received.length }];
    socket.emit('acknowledged', { upTo, refused: [] });
  }

  #handOut(id: ConversationId, when: { readonly personActs: boolean }): void {
    const next = this.#line(id).sight.next(when);
    if (next !== undefined) this.give(id, next);
  }

  #line(id: ConversationId): Line {
    const line = this.#lines.get(id);
    if (line === undefined) throw new Error(`the hub has no conversation ${id}`);
    return line;
  }
}
