import {
  DEVICE_NAMESPACE,
  DEVICE_PROTOCOL,
  HUB_TO_DEVICE,
  OpenedConversation,
  type ConversationId,
  type DeviceToHubEvents,
  type HubToDeviceEvents,
} from '#contracts';
import { io, type Socket } from 'socket.io-client';

/** What the page does with each event of the hub's; every one has a handler or it does not compile. */
export type HubEventHandlers = { [E in keyof HubToDeviceEvents]: HubToDeviceEvents[E] };

export interface SocketSurroundings {
  readonly token: () => Promise<string>;
  readonly dropToken: () => void;
  readonly on: HubEventHandlers;
  readonly connected: () => void;
  readonly disconnected: () => void;
  /** The hub refused this device; trying again would not help. */
  readonly refused: () => void;
  /** An event was not as agreed: another version of the hub may be running. */
  readonly unreadable: (event: string) => void;
}

const OPEN_TIMEOUT_MS = 15_000;
/** How often to look whether the socket's token was renewed. */
const RENEWAL_CHECK_MS = 60_000;

const ANSWERS_NO_MORE = new Set(['UNAUTHENTICATED', 'FORBIDDEN']);

function refusalCode(error: Error): string | undefined {
  const data = (error as Error & { data?: unknown }).data;
  const code = typeof data === 'object' && data !== null ? Reflect.get(data, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The one live line to the hub. It reconnects by itself; parsed events go to the handlers. */
export class DeviceSocket {
  readonly #socket: Socket<HubToDeviceEvents, DeviceToHubEvents>;
  readonly #renewal: ReturnType<typeof setInterval>;
  #refusals = 0;
  #token = '';

  constructor(private readonly around: SocketSurroundings) {
    this.#socket = io(DEVICE_NAMESPACE, {
      transports: ['websocket'],
      reconnectionDelay: 300,
      reconnectionDelayMax: 4_000,
      auth: (give) => void this.#handshake(give),
    });
    this.#socket.on('connect', () => {
      this.#refusals = 0;
      around.connected();
    });
    this.#socket.on('disconnect', (reason) => {
      around.disconnected();
      // The hub closed it on purpose (a token's end, a restart): socket.io does not come back by itself then.
      if (reason === 'io server disconnect') setTimeout(() => this.#socket.connect(), 500);
    });
    this.#socket.on('connect_error', (error) => this.#refusedOrDown(error));
    this.#listen();
    this.#renewal = setInterval(() => void this.#renew(), RENEWAL_CHECK_MS);
  }

  /** Opens a conversation: what came after `after`, then its events as they come. */
  async open(conversationId: ConversationId, after: number): Promise<OpenedConversation> {
    const reply: unknown = await this.#socket
      .timeout(OPEN_TIMEOUT_MS)
      .emitWithAck('open-conversation', { conversationId, after });
    return OpenedConversation.parse(reply);
  }

  leave(conversationId: ConversationId): void {
    if (this.#socket.connected) this.#socket.emit('close-conversation', { conversationId });
  }

  get live(): boolean {
    return this.#socket.connected;
  }

  /** Tries at once, when the machine woke or the network came back. */
  hurry(): void {
    if (!this.#socket.connected) this.#socket.connect();
  }

  /**
   * Drops the line and dials anew: after a suspend a line can look alive for a long while and carry
   * nothing.
   */
  redial(): void {
    this.#socket.disconnect();
    this.#socket.connect();
  }

  close(): void {
    clearInterval(this.#renewal);
    this.#socket.disconnect();
  }

  async #handshake(give: (auth: object) => void): Promise<void> {
    // A hub that is down gives no token; an empty one is refused and tried again with the next dial.
    this.#token = await this.around.token().catch(() => '');
    give({ token: this.#token, protocol: DEVICE_PROTOCOL });
  }

  #refusedOrDown(error: Error): void {
    this.around.disconnected();
    const code = refusalCode(error);
    if (code === undefined) return;
    // A refused handshake is final for socket.io. One refusal can be a token that ended on the way.
    this.#refusals += 1;
    this.around.dropToken();
    if (ANSWERS_NO_MORE.has(code) && this.#refusals > 2) this.around.refused();
    else setTimeout(() => this.#socket.connect(), Math.min(300 * 2 ** this.#refusals, 4_000));
  }

  #listen(): void {
    for (const event of Object.keys(HUB_TO_DEVICE) as (keyof HubToDeviceEvents)[]) {
      this.#socket.on(event, (payload: unknown) => {
        const parsed = HUB_TO_DEVICE[event].safeParse(payload);
        if (!parsed.success) return this.around.unreadable(event);
        (this.around.on[event] as (parsed: unknown) => void)(parsed.data);
      });
    }
  }

  async #renew(): Promise<void> {
    if (!this.#socket.connected) return;
    const token = await this.around.token().catch(() => this.#token);
    if (token === this.#token) return;
    this.#token = token;
    this.#socket.emit('renew-token', { token }, () => undefined);
  }
}
