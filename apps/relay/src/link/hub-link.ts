import {
  ConfigureProvider,
  ListFolders,
  PLACES_PAGE,
  type Attached,
  type ConfigureReply,
  type FolderReply,
  type HubCursor,
  type LinkRefusal,
  type ProviderStatus,
  type RelayAttach,
} from '#contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Conversations } from '../conversations/conversations.js';
import type { LastAttachment } from '../identity/last-attachment.js';
import type { PinnedHub } from '../identity/pinned-hub.js';
import type { RelayKey } from '../identity/relay-key.js';
import type { Log } from '../log.js';
import { DeltaFeed } from './delta-feed.js';
import { comparePlaces, pagesOf } from './compare-places.js';
import { HandshakeRefused, shakeHands } from './handshake.js';
import { readMessages, readReceipt } from './hub-messages.js';
import type { HubSocket } from './hub-socket.js';
import { Outbox } from './outbox.js';
import { Receipts } from './receipts.js';

export interface HubLinkParts {
  readonly socket: HubSocket;
  readonly key: RelayKey;
  readonly pinned: PinnedHub;
  readonly last: LastAttachment;
  readonly conversations: Conversations;
  readonly log: Log;
  /** What is told of this relay on attaching. */
  about(): Pick<RelayAttach, 'name' | 'instance' | 'version' | 'providers'>;
  listFolders(path: string | undefined): Promise<FolderReply>;
  configure(call: ConfigureProvider): Promise<ConfigureReply>;
  /** The hub does not take this relay, in plain words; said once for each reason. */
  refused(message: string): void;
}

/** Nothing gets better within a moment: a refusal is asked about again after this. */
const AGAIN_MS: { [C in LinkRefusal['code'] | 'HUB_CHANGED']: number } = {
  RELAY_UNKNOWN: 5_000,
  RELAY_DUPLICATE: 5_000,
  INVALID: 30_000,
  PROTOCOL: 30_000,
  BAD_SIGNATURE: 30_000,
  HUB_CHANGED: 30_000,
};

/** Lives of the hub that are remembered: messages of an older one have long been acknowledged. */
const MOST_RUNS = 50;

/** A piece of a block is not worth waiting for: it is dropped while so much waits on the socket. */
const BEHIND_PACKETS = 64;

/** The relay's end of the link to its hub. */
export class HubLink {
  readonly outbox: Outbox;
  readonly receipts: Receipts;
  readonly deltas: DeltaFeed;
  #attached = false;
  /** Since when the hub has been away, in milliseconds of this process; it counts as away until it is first there. */
  #awaySince = performance.now();
  /** What the hub sends before this relay has taken in the answer to its attach. */
  #early: unknown[] = [];
  #again: NodeJS.Timeout | undefined;
  #lastRefusal: string | undefined;
  #saidAway = false;

  constructor(private readonly parts: HubLinkParts) {
    const { socket, conversations, log } = parts;
    this.outbox = new Outbox({
      journal: (id) => conversations.journal(id),
      emit: (messages) => socket.emit('messages', { messages }),
      now: () => performance.now(),
      failed: (error) => log.error({ err: error }, 'a journal could not be read'),
    });
    this.receipts = new Receipts((upTo) => {
      if (this.#attached) socket.emit('acknowledged', { upTo });
    });
    this.deltas = new DeltaFeed((deltas) => {
      if (this.#attached && this.#isKeepingUp()) socket.emit('deltas', deltas);
    });
    this.#listen();
  }

  get isAttached(): boolean {
    return this.#attached;
  }

  /** How long the hub has been away, in milliseconds; 0 while it is attached. */
  get awayMs(): number {
    return this.#attached ? 0 : performance.now() - this.#awaySince;
  }

  connect(): void {
    this.parts.socket.connect();
  }

  providerStatus(status: ProviderStatus): void {
    if (this.#attached) this.parts.socket.emit('provider-status', status);
  }

  /** Waits for the hub to take what was said, but not for long: what it has not got is sent again later. */
  async drained(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (this.#attached && !this.outbox.isDrained && performance.now() < until) await delay(5);
  }

  close(): void {
    clearTimeout(this.#again);
    this.#detach();
    this.parts.socket.disconnect();
  }

  #listen(): void {
    const { socket } = this.parts;
    socket.on('connect', () => void this.#attach());
    socket.on('connect_error', (error) => this.#tellAway(error));
    socket.on('disconnect', (reason) => {
      this.#detach();
      // Where the hub ended it, socket.io does not come back by itself.
      if (reason === 'io server disconnect') this.#comeBack(AGAIN_MS.RELAY_UNKNOWN);
    });
    socket.on('messages', (frame) => {
      if (this.#attached) this.#take(frame);
      else this.#early.push(frame);
    });
    socket.on('acknowledged', (frame) => this.#acknowledged(frame));
    socket.on('list-folders', (call, reply) => {
      void this.#answer(ListFolders, call, ({ path }) => this.parts.listFolders(path)).then(reply);
    });
    socket.on('configure-provider', (call, reply) => {
      void this.#answer(ConfigureProvider, call, (valid) => this.parts.configure(valid)).then(
        reply,
      );
    });
  }

  async #attach(): Promise<void> {
    const { socket, key, pinned, conversations, last, log } = this.parts;
    const connection = socket.id;
    this.#early = [];
    try {
      const [first = [], ...more] = pagesOf(conversations.cursors(), PLACES_PAGE);
      const attached = await shakeHands({
        ...{ socket, key, pinned },
        attach: async () => ({
          ...(await last.read()),
          ...this.parts.about(),
          ...{ conversations: first, more: more.length > 0 },
        }),
      });
      const cursors = await comparePlaces({ socket, conversations, first: attached, more });
      await this.#keep(attached);
      if (socket.id === connection) this.#begin(attached, cursors);
    } catch (error) {
      if (socket.id !== connection) return;
      const refusal = error instanceof HandshakeRefused ? error : undefined;
      if (refusal === undefined) log.warn({ err: error }, 'the hub did not answer');
      else this.#tellRefusal(refusal);
      socket.disconnect();
      this.#comeBack(AGAIN_MS[refusal?.code ?? 'RELAY_UNKNOWN']);
    }
  }

  /**
   * Link rule 7: the hub hears that its new token is good once that is on the disk, and not before. Nothing of the hub's
   * is taken before its run is there as well (link rule 10).
   */
  async #keep({ nextToken, incarnation, run, earlierRuns = [] }: Attached): Promise<void> {
    if (nextToken === undefined) return;
    const { last, log, socket } = this.parts;
    const connection = socket.id;
    try {
      const { runs = [] } = await last.read();
      const known = new Set([...(run === undefined ? [] : [run]), ...earlierRuns, ...runs]);
      await last.keep({ token: nextToken, incarnation, runs: [...known].slice(0, MOST_RUNS) });
      if (socket.id === connection) socket.emit('token-kept');
    } catch (error) {
      // The token before is good for the next attach too.
      log.error({ err: error }, "the hub's new token could not be kept");
    }
  }

  #begin(attached: Attached, cursors: readonly HubCursor[]): void {
    const { conversations, log } = this.parts;
    this.#attached = true;
    this.#lastRefusal = undefined;
    this.#saidAway = false;
    log.info({ relay: attached.relayId }, 'attached to the hub');
    conversations.attached(cursors);
    for (const frame of this.#early.splice(0)) this.#take(frame);
    this.outbox.open(conversations.unsent());
  }

  #take(frame: unknown): void {
    for (const arrived of readMessages(frame)) this.parts.conversations.receive(arrived);
  }

  #detach(): void {
    if (this.#attached) this.#awaySince = performance.now();
    this.#attached = false;
    this.outbox.close();
  }

  #comeBack(ms: number): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.parts.socket.connect(), ms);
  }

  #tellRefusal({ code, message }: HandshakeRefused): void {
    if (this.#lastRefusal === message) return;
    this.#lastRefusal = message;
    this.parts.log.error({ code }, message);
    this.parts.refused(message);
  }

  /** Said once: the socket tries again by itself, and will succeed when the hub is back. */
  #tellAway(error: Error): void {
    if (this.#saidAway) return;
    this.#saidAway = true;
    this.parts.log.warn({ err: error }, 'the hub can not be reached; trying again');
  }

  #acknowledged(frame: unknown): void {
    const { conversations, log } = this.parts;
    const receipt = readReceipt(frame);
    if (receipt === undefined) {
      log.warn('the hub acknowledged in a form that this relay does not know');
      return;
    }
    for (const acknowledgement of receipt.upTo) {
      conversations.acknowledged(acknowledgement);
      this.outbox.acknowledged(acknowledgement);
    }
    for (const refused of receipt.refused) {
      conversations
        .refused(refused)
        .then(() => this.outbox.sendFrom(refused.conversationId, refused.n))
        .catch((error: unknown) => log.error({ err: error }, 'a refusal could not be handled'));
    }
  }

  /** A call that is no call gets its answer too: which field, what was wrong. */
  async #answer<T, R>(
    shape: z.ZodType<T>,
    call: unknown,
    serve: (valid: T) => Promise<R>,
  ): Promise<R | { ok: false; code: string; message: string }> {
    const valid = shape.safeParse(call);
    if (valid.success) return serve(valid.data);
    return { ok: false, code: 'INVALID', message: z.prettifyError(valid.error).slice(0, 1_000) };
  }

  #isKeepingUp(): boolean {
    const { engine } = this.parts.socket.io;
    return engine !== undefined && engine.writeBuffer.length < BEHIND_PACKETS;
  }
}
