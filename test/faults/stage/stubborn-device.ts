import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import {
  DEVICE_NAMESPACE,
  DEVICE_PROTOCOL,
  HUB_TO_DEVICE,
  OpenedConversation,
  type Conversation,
  type ConversationId,
  type DeviceToHubEvents,
  type HubToDeviceEvents,
  type StoredEvent,
} from '#contracts';
import type { DeviceClient, DeviceEvent, HttpAnswer } from '../../support/device-client.js';
import { digestOf } from '../records/canonical.js';
import type { SeenByDevice, SeenEvent } from '../records/records.js';
import { ConversationView } from './conversation-view.js';

/** How long a device waits for an answer before it asks again. */
const PATIENCE_MS = 10_000;
/** How long it waits before it tries again. */
const AGAIN_MS = 150;
/** The hub can't do it at the moment. */
const TRY_AGAIN = new Set([401, 429, 500, 502, 503, 504]);

/** A device that comes back whatever happens to the hub, and remembers what it was shown. */
export class StubbornDevice {
  readonly views = new Map<ConversationId, ConversationView>();
  readonly #seen = new Map<ConversationId, SeenEvent[]>();
  readonly #malformed: string[] = [];
  readonly #looking = new Set<() => void>();
  #socket: Socket<HubToDeviceEvents, DeviceToHubEvents> | undefined;
  #over = false;
  #signals = 0;

  constructor(readonly client: DeviceClient) {}

  get name(): string {
    return this.client.name;
  }

  /** Grows with whatever is heard. */
  get signals(): number {
    return this.#signals;
  }

  /** Keeps a socket open until {@link close}. */
  async stayConnected(): Promise<void> {
    while (!this.#over) {
      try {
        await this.client.renew();
        await this.#connectOnce();
      } catch {
        // The hub is away or busy: that is what this is about.
      }
      await pause(AGAIN_MS);
    }
  }

  /** Follows a conversation from now on, over every connection. */
  follow(row: Conversation): ConversationView {
    const followed = this.views.get(row.id);
    followed?.takeRow(row);
    if (followed !== undefined) return followed;
    const view = new ConversationView(row.id);
    view.takeRow(row);
    this.views.set(row.id, view);
    this.#seen.set(row.id, []);
    if (this.#socket?.connected === true) this.#open(this.#socket, row.id);
    return view;
  }

  /** Asks until the hub has an answer that is one. */
  async ask(method: string, path: string, body?: unknown): Promise<HttpAnswer> {
    for (;;) {
      const answer = await this.askOnce(method, path, body);
      if (answer !== undefined || this.#over) return answer ?? NO_ANSWER;
      await pause(AGAIN_MS);
    }
  }

  /** Asks once; undefined where nobody can tell what became of it, or the hub could not do it. */
  async askOnce(method: string, path: string, body?: unknown): Promise<HttpAnswer | undefined> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const asked = this.client.call(method, path, text).catch(() => undefined);
    const answer = await Promise.race([asked, pause(PATIENCE_MS, undefined, { ref: false })]);
    if (answer?.status === 401) await this.client.renew().catch(() => undefined);
    return answer === undefined || TRY_AGAIN.has(answer.status) ? undefined : answer;
  }

  /** Resolves once `is` holds, looked at whenever something is heard; false where it does not within the time. */
  until(is: () => boolean, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (held: boolean): void => {
        clearTimeout(late);
        this.#looking.delete(look);
        resolve(held);
      };
      const look = (): void => void (is() && end(true));
      const late = setTimeout(() => end(is()), ms);
      this.#looking.add(look);
      look();
    });
  }

  record(): SeenByDevice {
    const conversations = [...this.#seen].map(([id, seen]) => ({ id, seen }));
    return { name: this.name, conversations, malformed: this.#malformed };
  }

  close(): void {
    this.#over = true;
    this.#socket?.disconnect();
  }

  async #connectOnce(): Promise<void> {
    const socket: Socket<HubToDeviceEvents, DeviceToHubEvents> = io(
      this.client.url + DEVICE_NAMESPACE,
      {
        transports: ['websocket'],
        extraHeaders: { origin: this.client.url },
        forceNew: true,
        reconnection: false,
        timeout: PATIENCE_MS,
        auth: { token: this.client.token, protocol: DEVICE_PROTOCOL },
      },
    );
    this.#socket = socket;
    this.#listen(socket);
    await new Promise<void>((over) => {
      socket.once('connect_error', () => over());
      socket.once('disconnect', () => over());
      socket.on('connect', () => {
        for (const id of this.views.keys()) this.#open(socket, id);
      });
    });
    socket.disconnect();
  }

  #listen(socket: Socket<HubToDeviceEvents, DeviceToHubEvents>): void {
    socket.onAny((event: keyof HubToDeviceEvents, payload: unknown) => {
      if (socket !== this.#socket) return;
      const parsed = HUB_TO_DEVICE[event].safeParse(payload);
      if (!parsed.success) this.#malformed.push(`${event}: ${parsed.error.message}`);
      this.#dispatch({ event, payload } as DeviceEvent);
      this.#heard();
    });
  }

  #dispatch({ event, payload }: DeviceEvent): void {
    if (event === 'events') this.#take(payload.conversationId, payload.events);
    if (event === 'board-rows') this.#takeRows(payload.conversations);
    if (event === 'snapshot') this.#takeRows(payload.board.conversations);
  }

  /** By call back and not by promise: what follows the answer must be taken after it. */
  #open(socket: Socket<HubToDeviceEvents, DeviceToHubEvents>, id: ConversationId): void {
    const after = this.views.get(id)?.lastN ?? 0;
    socket.emit('open-conversation', { conversationId: id, after }, (opened) => {
      if (socket !== this.#socket) return;
      const parsed = OpenedConversation.safeParse(opened);
      if (!parsed.success) this.#malformed.push(`opened: ${parsed.error.message}`);
      if (opened.kind === 'refused') {
        // Not read at the moment: a new connection asks anew.
        socket.disconnect();
        return;
      }
      this.#take(id, opened.page.events, opened.kind === 'snapshot');
      this.#takeRows([opened.page.conversation]);
      this.#heard();
    });
  }

  #take(id: ConversationId, events: readonly StoredEvent[], anew = false): void {
    const seen = this.#seen.get(id);
    events.forEach((event, at) => {
      seen?.push({ n: event.n, digest: digestOf(event), anew: anew && at === 0 });
      this.views.get(id)?.takeEvent(event);
    });
  }

  #takeRows(rows: readonly Conversation[]): void {
    for (const row of rows) this.views.get(row.id)?.takeRow(row);
  }

  #heard(): void {
    this.#signals += 1;
    for (const look of [...this.#looking]) look();
  }
}

const NO_ANSWER: HttpAnswer = { status: 0, body: undefined, headers: new Headers() };
