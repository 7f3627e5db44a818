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
import { HubRefusal } from '../api/hub-refusal.js';

/** What the page does with each event of the hub's; every one has a handler or it does not compile. */
export type HubEventHandlers = { [E in keyof HubToDeviceEvents]: HubToDeviceEvents[E] };

export interface SocketSurroundings {
  readonly token: () => Promise<string>;
  readonly dropToken: () => void;
  readonly on: HubEventHandlers;
  readonly connected: () => void;
  readonly disconnected: () => void;
  /** The hub says that it knows no such device: it was revoked. Trying again would not help. */
  readonly refused: () => void;
  /** The hub answers, and can't let anybody in for now, as when its database is away; it is tried again. */
  readonly heldUp: () => void;
  /** An event was not as agreed: another version of the hub may be running. */
  readonly unreadable: (event: string) => void;
}

const OPEN_TIMEOUT_MS = 15_000;
const LONGEST_PAUSE_MS = 4_000;
/** How often to look whether the socket's token was renewed. */
const RENEWAL_CHECK_MS = 60_000;

/**
 * So many times in a row the hub has to deny that it knows the device. Once can be a challenge that a restart
 * forgot; and nothing but this denial, made to a device that proves its key, means that it was revoked.
 */
const DENIALS = 3;
const isDenial = (error: unknown): boolean =>
  error instanceof HubRefusal && error.code === 'UNAUTHENTICATED';

function refusalCode(error: Error): string | undefined {
  const data = (error as Error & { data?: unknown }).data;
  const code = typeof data === 'object' && data !== null ? Reflect.get(data, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The one live line to the hub. It reconnects by itself; parsed events go to the handlers. */
export class DeviceSocket {
  readonly #socket: Socket<HubToDeviceEvents, DeviceToHubEvents>;
  readonly #renewal: ReturnType<typeof setInterval>;
  /** Dials that failed in a row, whatever the reason. */
  #failures = 0;
  #denials = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #token = '';

  constructor(private readonly around: SocketSurroundings) {
    this.#socket = io(DEVICE_NAMESPACE, {
      transports: ['websocket'],
      reconnectionDelay: 300,
      reconnectionDelayMax: LONGEST_PAUSE_MS,
      auth: (give) => void this.#handshake(give),
    });
    this.#socket.on('connect', () => {
      this.#failures = 0;
      this.#denials = 0;
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
    clearTimeout(this.#again);
    this.#socket.disconnect();
  }

  async #handshake(give: (auth: object) => void): Promise<void> {
    try {
      this.#token = await this.around.token();
    } catch (error) {
      this.#withoutToken(error);
      return;
    }
    this.#denials = 0;
    give({ token: this.#token, protocol: DEVICE_PROTOCOL });
  }

  /** There is nothing to shake hands with: the dial is dropped, and made again later. */
  #withoutToken(error: unknown): void {
    this.around.disconnected();
    this.#socket.disconnect();
    if (isDenial(error)) this.#denials += 1;
    else this.around.heldUp();
    if (this.#denials >= DENIALS) this.around.refused();
    else this.#dialAgain();
  }

  /** The hub took the dial and refused the handshake, which is final for socket.io. */
  #refusedOrDown(error: Error): void {
    this.around.disconnected();
    const code = refusalCode(error);
    if (code === undefined) return;
    // The token can have ended on the way. Whether the device still is one, the next token's refusal says.
    this.around.dropToken();
    if (code !== 'UNAUTHENTICATED') this.around.heldUp();
    this.#dialAgain();
  }

  #dialAgain(): void {
    this.#failures += 1;
    clearTimeout(this.#again);
    const delay = Math.min(300 * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#again = setTimeout(() => this.#socket.connect(), delay);
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
