import { type CardRequest, type RequestId } from '#contracts';
import { changeRequest, mergeRequest, type RequestChange } from './request-merge.js';

interface Entry {
  readonly request: CardRequest;
  /** Events up to this number are in it already. */
  readonly asOf: number;
}

/** The requests of one conversation as last known, from whatever told of them. */
export class RequestBook {
  readonly #entries = new Map<RequestId, Entry>();
  /** Changes of requests whose beginning lies in events that are not loaded. */
  readonly #early = new Map<RequestId, { n: number; change: RequestChange }[]>();

  get(id: RequestId): CardRequest | undefined {
    return this.#entries.get(id)?.request;
  }

  /** Those that wait, the oldest first. */
  get open(): readonly CardRequest[] {
    return [...this.#entries.values()]
      .map((entry) => entry.request)
      .filter((request) => request.status === 'open')
      .sort((a, b) => a.openedAt - b.openedAt);
  }

  /** Takes a whole state, true as of event `asOf`. */
  take(told: CardRequest, asOf: number): CardRequest {
    const held = this.#entries.get(told.id);
    let request = mergeRequest(held?.request, told);
    let upTo = Math.max(asOf, held?.asOf ?? 0);
    for (const early of this.#early.get(told.id) ?? []) {
      if (early.n <= upTo) continue;
      request = changeRequest(request, early.change);
      upTo = early.n;
    }
    this.#early.delete(told.id);
    this.#entries.set(told.id, { request, asOf: upTo });
    return request;
  }

  /** Takes an event's change; undefined when it changes nothing that is known. */
  change(id: RequestId, change: RequestChange, n: number): CardRequest | undefined {
    const held = this.#entries.get(id);
    if (held === undefined) {
      const waiting = this.#early.get(id) ?? [];
      waiting.push({ n, change });
      this.#early.set(id, waiting);
      return undefined;
    }
    if (n <= held.asOf) return undefined;
    const request = changeRequest(held.request, change);
    this.#entries.set(id, { request, asOf: n });
    return request;
  }
}
