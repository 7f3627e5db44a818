import type { AgentEvent } from '#contracts';
import { MESSAGE_BYTES, jsonBytes } from './frame-budget.js';

const MOST_EVENTS = 200;

/**
 * Events of one tick go as one message: twenty in one are several times cheaper than one each. They are sent
 * at once when a message is full or another kind of message comes.
 */
export class PendingEvents {
  #events: AgentEvent[] = [];
  #bytes = 0;

  constructor(private readonly send: (events: AgentEvent[]) => void) {}

  add(event: AgentEvent): void {
    const bytes = jsonBytes(event) + 1;
    if (this.#bytes + bytes > MESSAGE_BYTES || this.#events.length >= MOST_EVENTS) this.flush();
    if (this.#events.length === 0) queueMicrotask(() => this.flush());
    this.#events.push(event);
    this.#bytes += bytes;
  }

  flush(): void {
    if (this.#events.length === 0) return;
    const events = this.#events;
    this.#events = [];
    this.#bytes = 0;
    this.send(events);
  }
}
