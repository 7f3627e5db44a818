import { type Actor, type EventBodyOf, type QueuedMessage } from '#contracts';
import { type ItemStore } from './item-store.js';
import { type ItemOf } from './transcript-item.js';

/** A message that waits in the queue. */
export interface WaitingMessage {
  readonly messageId: string;
  readonly text: string;
  readonly at: number;
}

interface Where {
  readonly n: number;
  readonly at: number;
}

/** What people wrote: in the transcript where the agent took it up, in the queue until then (C17). */
export class MessageBook {
  readonly #accepted = new Map<string, { text: string; by: Actor; at: number }>();
  readonly #ended = new Map<string, { state: 'taken' | 'cancelled'; where: Where }>();
  readonly #waiting = new Map<string, WaitingMessage>();

  constructor(private readonly store: ItemStore) {}

  get waiting(): readonly WaitingMessage[] {
    return [...this.#waiting.values()].sort((a, b) => a.at - b.at);
  }

  knows(messageId: string): boolean {
    return this.#accepted.has(messageId) || this.#ended.has(messageId);
  }

  accepted(body: EventBodyOf<'message-accepted'>, where: Where): void {
    const { messageId, text, by } = body;
    this.#accepted.set(messageId, { text, by, at: where.at });
    const ended = this.#ended.get(messageId);
    if (ended !== undefined) this.#show(messageId, ended.state, where);
    else if (body.queued) this.#waiting.set(messageId, { messageId, text, at: where.at });
    else this.ended(messageId, 'taken', where);
  }

  ended(messageId: string, state: 'taken' | 'cancelled', where: Where): void {
    if (this.#ended.has(messageId)) return;
    this.#ended.set(messageId, { state, where });
    this.#waiting.delete(messageId);
    this.#show(messageId, state, where);
  }

  takeQueue(queue: readonly QueuedMessage[]): void {
    for (const { messageId, text, at } of queue) {
      if (!this.#ended.has(messageId)) this.#waiting.set(messageId, { messageId, text, at });
    }
  }

  #show(messageId: string, state: ItemOf<'message'>['state'], where: Where): void {
    const known = this.#accepted.get(messageId);
    // Its text lies in events that are not loaded yet; it is shown with them.
    if (known === undefined) return;
    const item: ItemOf<'message'> = {
      kind: 'message',
      key: `message:${messageId}`,
      n: where.n,
      at: known.at,
      messageId,
      text: known.text,
      by: known.by,
      state,
    };
    this.store.put(item);
  }
}
