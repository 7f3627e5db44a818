import {
  type CardRequest,
  type Delta,
  type EventBodyOf,
  type EventKind,
  type QueuedMessage,
  type StoredEvent,
} from '#contracts';
import { BlockBook } from './block-book.js';
import { ItemStore } from './item-store.js';
import { MessageBook, type WaitingMessage } from './message-book.js';
import { RequestBook } from './request-book.js';
import { changedRequestId, type RequestChange } from './request-merge.js';
import { ToolBook } from './tool-book.js';
import { type TranscriptItem } from './transcript-item.js';
import { TurnBook } from './turn-book.js';

interface Where {
  readonly n: number;
  readonly at: number;
}
type Take = { [K in EventKind]: (body: EventBodyOf<K>, where: Where) => void };

/**
 * A conversation put together from its stored events, in whatever pieces they come, and from the pieces of
 * blocks that are still being written. Pure: the same events give the same transcript.
 */
export class Transcript {
  readonly #store = new ItemStore();
  readonly #turns = new TurnBook();
  readonly #blocks = new BlockBook(this.#store, this.#turns);
  readonly #tools = new ToolBook(this.#store, this.#turns);
  readonly #messages = new MessageBook(this.#store);
  readonly #requests = new RequestBook();
  #first = 0;
  #last = 0;

  /** What is shown, from the oldest to the newest. */
  get items(): readonly TranscriptItem[] {
    return this.#store.list;
  }
  /** Messages that wait in the queue, oldest first. */
  get queue(): readonly WaitingMessage[] {
    return this.#messages.waiting;
  }
  /** Requests of which a card is open, in the order in which they came. */
  get openRequests(): readonly CardRequest[] {
    return this.#requests.open;
  }
  /** Numbers of the first and the last event held; 0 when there is none. */
  get first(): number {
    return this.#first;
  }
  get last(): number {
    return this.#last;
  }

  knowsMessage(messageId: string): boolean {
    return this.#messages.knows(messageId);
  }

  /**
   * Takes events that follow those held; ones that are held already are passed over.
   * @returns false when one is missing between: the conversation must be opened again from {@link last}
   */
  append(events: readonly StoredEvent[]): boolean {
    for (const event of events) {
      if (event.n <= this.#last) continue;
      if (this.#last !== 0 && event.n !== this.#last + 1) return false;
      this.#take(event);
      this.#last = event.n;
      if (this.#first === 0) this.#first = event.n;
    }
    return true;
  }

  /** Takes events from before those held, oldest first. */
  prepend(events: readonly StoredEvent[]): void {
    const older = events.filter((event) => event.n < this.#first);
    const oldest = older[0];
    if (oldest === undefined) return;
    this.#store.placingBefore(() => {
      for (const event of older) this.#take(event);
    });
    this.#first = oldest.n;
  }

  /** Takes pieces of blocks that are being written. */
  addDeltas(deltas: readonly Delta[], at: number): void {
    for (const delta of deltas) {
      if (delta.kind === 'tool-input') this.#tools.addInput(delta, at);
      else this.#blocks.addDelta(delta, at);
    }
  }

  /** Takes requests as the hub knows them now. */
  takeRequests(requests: readonly CardRequest[]): void {
    for (const told of requests) this.#showRequest(told, { n: this.#last, at: told.openedAt });
  }

  /** Takes a request that may belong elsewhere or be told of early; only known ones change. */
  refreshRequest(told: CardRequest): void {
    if (this.#requests.get(told.id) === undefined) return;
    this.#showRequest(told, { n: 0, at: told.openedAt });
  }

  takeQueue(queue: readonly QueuedMessage[]): void {
    this.#messages.takeQueue(queue);
  }

  #take(event: StoredEvent): void {
    const take = this.#byKind[event.body.kind] as (body: StoredEvent['body'], where: Where) => void;
    take(event.body, event);
  }

  #showRequest(told: CardRequest, where: Where): void {
    const request = this.#requests.take(told, where.n);
    this.#tools.replaceByCard(request.toolCallId);
    this.#putRequest(request, where);
  }

  #putRequest(request: CardRequest, where: Where): void {
    const key = `request:${request.id}`;
    const held = this.#store.get(key);
    const n = held === undefined || (where.n > 0 && where.n < held.n) ? where.n : held.n;
    this.#store.put({
      kind: 'request',
      key,
      n,
      at: request.openedAt,
      requestId: request.id,
      request,
    });
  }

  #changeRequest = (change: RequestChange, where: Where): void => {
    const request = this.#requests.change(changedRequestId(change), change, where.n);
    if (request !== undefined) this.#putRequest(request, { ...where, n: 0 });
  };

  #fact = (
    fact: EventBodyOf<
      'conversation-created' | 'mode-changed' | 'stop-asked' | 'renamed' | 'tombstone'
    >,
    { n, at }: Where,
  ): void => this.#store.put({ kind: 'fact', key: `event:${n}`, n, at, fact });

  readonly #byKind: Take = {
    'conversation-created': this.#fact,
    'mode-changed': this.#fact,
    'stop-asked': this.#fact,
    renamed: this.#fact,
    tombstone: this.#fact,
    'mode-acknowledged': () => undefined,
    'message-accepted': (body, where) => this.#messages.accepted(body, where),
    'message-picked-up': (body, where) => this.#messages.ended(body.messageId, 'taken', where),
    'message-cancelled': (body, where) => this.#messages.ended(body.messageId, 'cancelled', where),
    'turn-started': (body, where) => this.#turns.started(body.turnId, where.at),
    'turn-ended': (body, where) => this.#turnEnded(body, where),
    text: (body, where) => this.#blocks.addBlock(body, where),
    thought: (body, where) => this.#blocks.addBlock(body, where),
    'tool-called': (body, where) => this.#tools.called(body, where),
    'tool-returned': (body, where) => this.#tools.returned(body, where),
    notice: (body, { n, at }) => this.#store.put({ ...body, key: `event:${n}`, n, at }),
    'request-opened': (body, where) => this.#showRequest(body.request, where),
    'card-settled': this.#changeRequest,
    'request-closed': this.#changeRequest,
    'request-detached': this.#changeRequest,
    'delivery-changed': this.#changeRequest,
    'deadline-extended': this.#changeRequest,
  };

  #turnEnded(body: EventBodyOf<'turn-ended'>, { n, at }: Where): void {
    const startedAt = this.#turns.ended(body.turnId);
    this.#blocks.turnEnded(body.turnId, n);
    this.#tools.turnEnded(body.turnId);
    this.#store.put({
      kind: 'turn-end',
      key: `event:${n}`,
      n,
      at,
      outcome: body.outcome,
      failure: body.failure,
      usage: body.usage,
      took: startedAt === undefined ? undefined : Math.max(0, at - startedAt),
    });
  }
}
