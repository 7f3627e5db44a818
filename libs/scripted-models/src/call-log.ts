import type { ModelCall } from './model-call.js';

interface Waiter {
  wanted: (call: ModelCall) => boolean;
  found: (call: ModelCall) => void;
}

/** Every call that came, and a way to wait for one without polling. */
export class CallLog {
  readonly #calls: ModelCall[] = [];
  #waiters: Waiter[] = [];

  get all(): readonly ModelCall[] {
    return this.#calls;
  }

  add(call: ModelCall): void {
    this.#calls.push(call);
    const found = this.#waiters.filter((waiter) => waiter.wanted(call));
    this.#waiters = this.#waiters.filter((waiter) => !found.includes(waiter));
    for (const waiter of found) waiter.found(call);
  }

  /** The first call, past or to come, that is wanted. */
  find(wanted: (call: ModelCall) => boolean): Promise<ModelCall> {
    const past = this.#calls.find(wanted);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((found) => this.#waiters.push({ wanted, found }));
  }
}
