import {
  type CardRequest,
  type Inbox,
  type InboxChange,
  type InboxEntry,
  type RequestId,
} from '#contracts';
import { mergeRequest } from '../transcript/request-merge.js';
import { withEntries, withoutKeys } from './keyed.js';
import { inboxPlaces } from './inbox-places.js';

/** Requests that ended stay this long where they were, so that nothing jumps right after a tap. */
const LINGERS_MS = 4_000;
/** How often it is looked whether nobody points any more at what would move. */
const LOOKS_MS = 400;

/** Every request that waits on a person, of all conversations (D1). */
class InboxState {
  #entries = $state.raw<ReadonlyMap<RequestId, InboxEntry>>(new Map());
  /** Ended ones that are still shown, folded, in their old place. */
  #ended = $state.raw<ReadonlyMap<RequestId, InboxEntry>>(new Map());
  #shown = $state.raw<readonly RequestId[]>([]);
  #inHand = $state(false);
  #known = $state(false);
  #inUse: () => boolean = () => false;

  get known(): boolean {
    return this.#known;
  }

  /** What is shown, in its order. */
  get places(): readonly InboxEntry[] {
    return this.#shown.flatMap((id) => this.#entries.get(id) ?? this.#ended.get(id) ?? []);
  }

  get openCards(): number {
    let count = 0;
    for (const { request } of this.#entries.values()) {
      count += request.cards.filter((card) => card.status === 'open').length;
    }
    return count;
  }

  find(id: RequestId): InboxEntry | undefined {
    return this.#entries.get(id);
  }

  /** While a person points at the list or types in it, what is shown keeps its place. */
  set inHand(held: boolean) {
    if (this.#inHand === held) return;
    this.#inHand = held;
    if (!held) this.#arrange();
  }

  /** Tells whether somebody is about to point at what is shown: what ended stays, at its height, until then. */
  usedWhile(inUse: () => boolean): void {
    this.#inUse = inUse;
  }

  /** Nothing that was told holds any more. */
  forget(): void {
    this.#entries = new Map();
    this.#ended = new Map();
    this.#shown = [];
  }

  takeAll(inbox: Inbox): void {
    const told = inbox.entries.map((entry) => [entry.request.id, this.#merged(entry)] as const);
    const before = this.#entries;
    this.#entries = withEntries(new Map(), told);
    for (const [id, entry] of before) {
      if (!this.#entries.has(id)) this.#linger(entry);
    }
    this.#known = true;
    this.#arrange();
  }

  /** Tells which requests are new to the page. */
  change({ entries, closed }: Pick<InboxChange, 'entries' | 'closed'>): readonly InboxEntry[] {
    const merged = entries.map((told) => this.#merged(told));
    const open = merged.filter(({ request }) => request.status === 'open');
    const fresh = open.filter(
      ({ request }) => !this.#entries.has(request.id) && !this.#ended.has(request.id),
    );
    const over = [
      ...merged.filter(({ request }) => request.status === 'closed'),
      ...closed.flatMap((id) => this.#entries.get(id) ?? []),
    ];
    for (const entry of over) {
      const { id } = entry.request;
      if (this.#entries.has(id) || this.#ended.has(id)) this.#linger(entry);
    }
    const kept = withoutKeys(
      this.#entries,
      over.map(({ request }) => request.id),
    );
    this.#entries = withEntries(
      kept,
      open.map((entry) => [entry.request.id, entry] as const),
    );
    this.#arrange();
    return fresh;
  }

  /** Takes a request's new state, such as the answer to this page's own tap. */
  takeRequest(request: CardRequest): void {
    const entry = this.#entries.get(request.id) ?? this.#ended.get(request.id);
    if (entry !== undefined) this.change({ entries: [{ ...entry, request }], closed: [] });
  }

  #merged(told: InboxEntry): InboxEntry {
    const id = told.request.id;
    const held = this.#entries.get(id) ?? this.#ended.get(id);
    return { ...told, request: mergeRequest(held?.request, told.request) };
  }

  #linger(entry: InboxEntry): void {
    const id = entry.request.id;
    const request: CardRequest = { ...entry.request, status: 'closed' };
    const first = !this.#ended.has(id);
    this.#ended = withEntries(this.#ended, [[id, { ...entry, request }]]);
    if (first) setTimeout(() => this.#leave(id), LINGERS_MS);
  }

  #leave(id: RequestId): void {
    if (this.#inUse()) {
      setTimeout(() => this.#leave(id), LOOKS_MS);
      return;
    }
    this.#ended = withoutKeys(this.#ended, [id]);
    this.#arrange();
  }

  #arrange(): void {
    const shown = this.#shown.filter((id) => this.#entries.has(id) || this.#ended.has(id));
    const lingering = shown.some((id) => this.#ended.has(id));
    const open = [...this.#entries.values()];
    this.#shown = inboxPlaces({ shown, open, inHand: this.#inHand || lingering });
  }
}

export const inbox = new InboxState();
