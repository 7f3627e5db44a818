import {
  type CardRequest,
  type Conversation,
  type ConversationId,
  type ConversationPage,
  type Delta,
  type MessageId,
  type OpenedConversation,
  type StoredEvent,
} from '#contracts';
import { type HubApi } from '../api/hub-api.js';
import { type WaitingMessage } from '../transcript/message-book.js';
import { withRetriesJoined } from '../transcript/retries.js';
import { type TranscriptItem } from '../transcript/transcript-item.js';
import { Transcript } from '../transcript/transcript.js';
import { hubClock } from './hub-clock.svelte.js';

/** A message on its way to the hub. */
export interface OutgoingMessage {
  readonly messageId: MessageId;
  readonly text: string;
  readonly problem: unknown;
}
type Phase = 'loading' | 'ready' | 'not-found' | 'unavailable';

export interface OpeningLine {
  readonly live: boolean;
  open(id: ConversationId, after: number): Promise<OpenedConversation>;
  leave(id: ConversationId): void;
}

const RETRY_MS = 1_500;

/** One conversation as this page shows it, live. */
export class OpenConversation {
  #transcript = new Transcript();
  #items = $state.raw<readonly TranscriptItem[]>([]);
  #queue = $state.raw<readonly WaitingMessage[]>([]);
  #outgoing = $state.raw<readonly OutgoingMessage[]>([]);
  #row = $state.raw<Conversation | undefined>(undefined);
  #openRequests = $state.raw<readonly CardRequest[]>([]);
  #phase = $state<Phase>('loading');
  #hasOlder = $state(false);
  #grewAbove = $state(false);
  #loadingOlder = false;
  #stopAskedFor = $state<number | undefined>(undefined);
  #scheduled = false;
  #opening = false;
  #closed = false;

  constructor(
    readonly id: ConversationId,
    private readonly line: OpeningLine,
    private readonly api: HubApi,
  ) {}

  get items(): readonly TranscriptItem[] {
    return this.#items;
  }
  get queue(): readonly WaitingMessage[] {
    return this.#queue;
  }
  get outgoing(): readonly OutgoingMessage[] {
    return this.#outgoing;
  }
  get row(): Conversation | undefined {
    return this.#row;
  }
  get phase(): Phase {
    return this.#phase;
  }
  get hasOlder(): boolean {
    return this.#hasOlder;
  }
  /** Whether the last change of `items` put older ones before them: the list keeps the reader's place by it. */
  get grewAbove(): boolean {
    return this.#grewAbove;
  }
  /** Whether Stop was pressed and the turn has not ended since. */
  get stopping(): boolean {
    return this.#stopAskedFor !== undefined && this.#row?.turn === 'running';
  }
  /** The requests of which a card is open, oldest first. */
  get openRequests(): readonly CardRequest[] {
    return this.#openRequests;
  }

  /** Opens it, or catches up after a gap. */
  async open(): Promise<void> {
    if (this.#opening || this.#closed || !this.line.live) return;
    this.#opening = true;
    try {
      this.#opened(await this.line.open(this.id, this.#transcript.last));
    } catch {
      setTimeout(() => void this.open(), RETRY_MS);
    } finally {
      this.#opening = false;
    }
  }

  /** Begins with nothing at the next opening; what the person wrote stays. */
  forget(): void {
    this.#transcript = new Transcript();
    this.#row = undefined;
    this.#openRequests = [];
    this.#phase = 'loading';
  }

  close(): void {
    this.#closed = true;
    this.line.leave(this.id);
  }

  takeEvents(events: readonly StoredEvent[]): void {
    if (this.#phase !== 'ready') return;
    if (!this.#transcript.append(events)) void this.open();
    this.#schedule();
  }

  takeDeltas(deltas: readonly Delta[]): void {
    if (this.#phase !== 'ready') return;
    this.#transcript.addDeltas(deltas, hubClock.now);
    this.#schedule();
  }

  takeRow(row: Conversation): void {
    if (this.#row !== undefined && this.#row.version > row.version) return;
    if (row.turn !== 'running') this.#stopAskedFor = undefined;
    this.#row = row;
  }

  takeRequest(request: CardRequest): void {
    this.#transcript.refreshRequest(request);
    this.#schedule();
  }

  /** It was deleted, here or on another device. */
  vanished(): void {
    this.#phase = 'not-found';
  }

  async loadOlder(): Promise<void> {
    if (this.#loadingOlder || !this.#hasOlder) return;
    this.#loadingOlder = true;
    try {
      const page = await this.api.olderEvents(this.id, this.#transcript.first);
      this.#transcript.prepend(page.events);
      this.#hasOlder = page.more && page.events.length > 0;
      this.#show(true);
    } finally {
      this.#loadingOlder = false;
    }
  }

  /** Sends a message; what could not be sent stays, with the reason, and can be sent again as the same one. */
  async send(text: string, messageId = crypto.randomUUID() as MessageId): Promise<boolean> {
    const others = this.#outgoing.filter((one) => one.messageId !== messageId);
    this.#outgoing = [...others, { messageId, text, problem: undefined }];
    try {
      await this.api.send(this.id, { messageId, text });
      return true;
    } catch (problem) {
      this.#outgoing = this.#outgoing.map((one) =>
        one.messageId === messageId ? { ...one, problem } : one,
      );
      return false;
    }
  }

  dropOutgoing(messageId: MessageId): void {
    this.#outgoing = this.#outgoing.filter((one) => one.messageId !== messageId);
  }

  async stop(): Promise<void> {
    this.#stopAskedFor = this.#transcript.last;
    try {
      await this.api.stop(this.id);
    } catch (error) {
      this.#stopAskedFor = undefined;
      throw error;
    }
  }

  #opened(opened: OpenedConversation): void {
    if (opened.kind === 'refused') {
      if (opened.code === 'UNAVAILABLE') {
        if (this.#phase === 'loading') this.#phase = 'unavailable';
        setTimeout(() => void this.open(), RETRY_MS);
      } else this.#phase = 'not-found';
      return;
    }
    if (opened.kind === 'snapshot') this.#transcript = new Transcript();
    const firstTime = this.#transcript.last === 0;
    this.#take(opened.page, firstTime);
    this.#phase = 'ready';
    this.#show();
  }

  #take(page: ConversationPage, firstTime: boolean): void {
    hubClock.set(page.now);
    this.#transcript.append(page.events);
    this.#transcript.takeQueue(page.queue);
    this.#transcript.takeRequests(page.requests);
    if (firstTime) this.#hasOlder = page.more;
    this.takeRow(page.conversation);
  }

  /** Streams come faster than a screen is drawn: what came in between is shown at once. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const show = (): void => {
      this.#scheduled = false;
      this.#show();
    };
    // A hidden page draws no frames, and still has to be right when it is looked at.
    if (document.visibilityState === 'visible') requestAnimationFrame(show);
    else setTimeout(show, 200);
  }

  #show(grewAbove = false): void {
    this.#grewAbove = grewAbove;
    this.#items = withRetriesJoined(this.#transcript.items);
    this.#openRequests = this.#transcript.openRequests;
    this.#queue = this.#transcript.queue;
    const outgoing = this.#outgoing.filter((one) => !this.#transcript.knowsMessage(one.messageId));
    if (outgoing.length !== this.#outgoing.length) this.#outgoing = outgoing;
  }
}
