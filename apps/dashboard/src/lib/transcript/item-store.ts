import { type ItemOf, type TranscriptItem } from './transcript-item.js';

/**
 * The number of what is still being written: no event tells of it yet. Whatever is stored by then has a smaller
 * one, so it stands before it, also where the pieces were faster than the events (a queued message that is picked
 * up, and the first words of the turn that it causes).
 */
export const UNSTORED = Number.MAX_SAFE_INTEGER;

export const toolKey = (toolCallId: string): string => `tool:${toolCallId}`;

const NAMELESS = {
  kind: 'tool',
  tool: '',
  title: '',
  input: undefined,
  inputText: '',
  inputCut: false,
  output: '',
  outputCut: false,
  state: 'running',
  children: [],
} as const;

/**
 * The items of a transcript in order, with those of sub-agents inside the tool call that started them. An item
 * is replaced, never changed, so that only what changed is drawn again.
 */
export class ItemStore {
  #items = new Map<string, TranscriptItem>();
  #top: string[] = [];
  #children = new Map<string, string[]>();
  /** In whose list each item stands; undefined for the transcript's own. */
  #parents = new Map<string, string | undefined>();
  #older: Map<string | undefined, string[]> | undefined;
  #hidden = new Set<string>();
  #drawn: readonly TranscriptItem[] | undefined;

  get(key: string): TranscriptItem | undefined {
    return this.#items.get(key);
  }

  /** Runs `work` with new items going before all that are held, in the order in which they come. */
  placingBefore(work: () => void): void {
    this.#older = new Map();
    try {
      work();
    } finally {
      const older = this.#older;
      this.#older = undefined;
      for (const [parent, keys] of older) this.#putBefore(parent, keys);
      this.#drawn = undefined;
    }
  }

  /** Sets an item; a new one is placed, and one that turns out to stand earlier moves there. */
  put(item: TranscriptItem, parent?: string): void {
    const held = this.#items.get(item.key);
    if (parent !== undefined) this.#ensureParent(parent, item);
    if (held === undefined) this.#place(item, parent);
    else if (this.#standsElsewhere(item, held, parent)) this.#move(item, parent);
    this.#items.set(item.key, item.kind === 'tool' ? this.#withChildren(item) : item);
    this.#touched(parent);
  }

  remove(key: string): void {
    if (!this.#items.delete(key)) return;
    const parent = this.#parents.get(key);
    this.#takeOut(key);
    this.#touched(parent);
  }

  /** Keeps an item out of sight, such as the tool call that a card stands for. */
  hide(key: string): void {
    this.#hidden.add(key);
    this.#drawn = undefined;
  }

  get list(): readonly TranscriptItem[] {
    this.#drawn ??= this.#visible(this.#top);
    return this.#drawn;
  }

  #visible(keys: readonly string[]): readonly TranscriptItem[] {
    const items: TranscriptItem[] = [];
    for (const key of keys) {
      const item = this.#items.get(key);
      if (item !== undefined && !this.#hidden.has(key)) items.push(item);
    }
    return items;
  }

  #listOf(parent: string | undefined): string[] {
    if (parent === undefined) return this.#top;
    const list = this.#children.get(parent) ?? [];
    this.#children.set(parent, list);
    return list;
  }

  /** An event may tell that an item begins earlier, belongs to a sub-agent, or is stored by now. */
  #standsElsewhere(
    item: TranscriptItem,
    held: TranscriptItem,
    parent: string | undefined,
  ): boolean {
    if (this.#parents.get(item.key) !== parent) return true;
    if (held.n === UNSTORED && item.n !== UNSTORED) return true;
    return this.#older !== undefined && item.n < held.n;
  }

  #place({ key, n }: TranscriptItem, parent: string | undefined): void {
    this.#parents.set(key, parent);
    if (this.#older === undefined) {
      const list = this.#listOf(parent);
      list.splice(n === UNSTORED ? list.length : this.#endOfStored(list), 0, key);
      return;
    }
    const run = this.#older.get(parent) ?? [];
    run.push(key);
    this.#older.set(parent, run);
  }

  #endOfStored(list: readonly string[]): number {
    let end = list.length;
    while (end > 0 && this.#items.get(list[end - 1] ?? '')?.n === UNSTORED) end -= 1;
    return end;
  }

  /** The tool call that started a sub-agent may lie in events that are not loaded: a nameless one stands in. */
  #ensureParent(toolCallId: string, child: TranscriptItem): void {
    const key = toolKey(toolCallId);
    if (this.#items.has(key)) return;
    this.put({ ...NAMELESS, key, toolCallId, n: child.n, at: child.at });
  }

  #withChildren(tool: ItemOf<'tool'>): TranscriptItem {
    const keys = this.#children.get(tool.toolCallId);
    return keys === undefined ? tool : { ...tool, children: this.#visible(keys) };
  }

  #move(item: TranscriptItem, parent: string | undefined): void {
    const before = this.#parents.get(item.key);
    this.#takeOut(item.key);
    this.#touched(before);
    this.#place(item, parent);
  }

  #takeOut(key: string): void {
    const parent = this.#parents.get(key);
    for (const list of [this.#listOf(parent), this.#older?.get(parent) ?? []]) {
      const at = list.lastIndexOf(key);
      if (at >= 0) list.splice(at, 1);
    }
    this.#parents.delete(key);
  }

  #putBefore(parent: string | undefined, keys: readonly string[]): void {
    const list = this.#listOf(parent);
    const joined = [...keys, ...list];
    if (parent === undefined) this.#top = joined;
    else this.#children.set(parent, joined);
    this.#touched(parent);
  }

  /** A change inside a sub-agent's work changes the tool call that holds it, and so on outwards. */
  #touched(parent: string | undefined): void {
    this.#drawn = undefined;
    if (parent === undefined) return;
    const key = toolKey(parent);
    const tool = this.#items.get(key) as ItemOf<'tool'> | undefined;
    if (tool === undefined) return;
    this.#items.set(key, this.#withChildren({ ...tool }));
    this.#touched(tool.parent);
  }
}
