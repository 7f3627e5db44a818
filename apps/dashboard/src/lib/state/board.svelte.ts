import {
  LIMITS,
  type BoardCursor,
  type BoardPage,
  type BoardRows,
  type Conversation,
  type ConversationId,
} from '#contracts';
import { boardPlaces, fits, isWithin, type BoardFilter } from './board-places.js';
import { withEntries, withMembers, withoutKeys } from './keyed.js';
import { type BoardWish } from '../api/hub-api.js';

export type FetchBoard = (wish: BoardWish) => Promise<BoardPage>;

const SEARCH_PAUSE_MS = 180;

/** All conversations, page by page, kept true by what comes over the socket (D2). */
class BoardState {
  /** Every row that was told of, also those that the present list does not show. */
  #rows = $state.raw<ReadonlyMap<ConversationId, Conversation>>(new Map());
  /** Rows of the present list, before the filter by state. */
  #listed = $state.raw<ReadonlySet<ConversationId>>(new Set());
  #shown = $state.raw<readonly ConversationId[]>([]);
  #next = $state.raw<BoardCursor | undefined>(undefined);
  #total = $state(0);
  #known = $state(false);
  #loading = $state(false);
  #problem = $state.raw<unknown>(undefined);
  #filter = $state<BoardFilter>('all');
  #search = $state('');
  #archived = $state(false);
  #inHand = false;
  #run = 0;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #fetch: FetchBoard | undefined;

  get known(): boolean {
    return this.#known;
  }
  get loading(): boolean {
    return this.#loading;
  }
  get problem(): unknown {
    return this.#problem;
  }
  get total(): number {
    return this.#total;
  }
  get hasMore(): boolean {
    return this.#next !== undefined;
  }
  get narrowed(): boolean {
    return this.#filter !== 'all' || this.#search !== '' || this.#archived;
  }
  /** The rows to show, in order. */
  readonly list: readonly Conversation[] = $derived(
    this.#shown.flatMap((id) => this.#rows.get(id) ?? []).filter((row) => fits(row, this.#filter)),
  );
  /** All rows that were told of, for the palette. */
  get all(): readonly Conversation[] {
    return [...this.#rows.values()];
  }
  get working(): number {
    return this.all.filter((row) => row.state === 'running' || row.state === 'starting').length;
  }

  find(id: ConversationId): Conversation | undefined {
    return this.#rows.get(id);
  }

  get filter(): BoardFilter {
    return this.#filter;
  }
  set filter(next: BoardFilter) {
    this.#filter = next;
  }
  get search(): string {
    return this.#search;
  }
  set search(words: string) {
    this.#search = words;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.reload(), SEARCH_PAUSE_MS);
  }
  get archived(): boolean {
    return this.#archived;
  }
  set archived(only: boolean) {
    this.#archived = only;
    void this.reload();
  }
  clearFilter(): void {
    this.#filter = 'all';
    this.#search = '';
    this.#archived = false;
    void this.reload();
  }

  set inHand(held: boolean) {
    if (this.#inHand === held) return;
    this.#inHand = held;
    if (!held) this.#arrange();
  }

  fetchWith(fetch: FetchBoard): void {
    this.#fetch = fetch;
  }

  /** Nothing that was told holds any more. */
  forget(): void {
    this.#rows = new Map();
    this.#listed = new Set();
    this.#shown = [];
  }

  /** Takes the first page that comes with each snapshot; a list that is narrowed asks for its own. */
  takeFirstPage(page: BoardPage): void {
    this.#keep(page.conversations);
    this.#known = true;
    if (this.#search !== '' || this.#archived) void this.reload();
    else this.#begin(page);
  }

  takeRows({ conversations, deleted }: BoardRows): void {
    this.#keep(conversations);
    this.#rows = withoutKeys(this.#rows, deleted);
    const told = conversations.flatMap(({ id }) => this.#rows.get(id) ?? []);
    const before = this.#listed.size;
    this.#listed = withMembers(this.#listed, {
      add: told.filter((row) => this.#belongs(row)).map((row) => row.id),
      remove: [...deleted, ...told.filter((row) => !this.#belongs(row)).map((row) => row.id)],
    });
    this.#total += this.#listed.size - before;
    this.#arrange();
  }

  async reload(): Promise<void> {
    const run = ++this.#run;
    await this.#load(undefined, (page) => {
      if (run === this.#run) this.#begin(page);
    });
  }

  async loadMore(): Promise<void> {
    if (this.#loading || this.#next === undefined) return;
    const run = this.#run;
    await this.#load(this.#next, (page) => {
      if (run !== this.#run) return;
      this.#listed = withMembers(this.#listed, { add: page.conversations.map((row) => row.id) });
      this.#next = page.next;
      this.#arrange();
    });
  }

  async #load(after: BoardCursor | undefined, use: (page: BoardPage) => void): Promise<void> {
    if (this.#fetch === undefined) return;
    this.#loading = true;
    try {
      const wish = {
        search: this.#search.trim(),
        archived: this.#archived,
        after,
        limit: LIMITS.boardPage,
      };
      const page = await this.#fetch(wish);
      this.#keep(page.conversations);
      this.#problem = undefined;
      use(page);
    } catch (error) {
      this.#problem = error;
    } finally {
      this.#loading = false;
    }
  }

  #begin(page: BoardPage): void {
    this.#listed = new Set(page.conversations.map((row) => row.id));
    this.#next = page.next;
    this.#total = page.total;
    this.#arrange();
  }

  #belongs(row: Conversation): boolean {
    if ((row.archivedAt !== undefined) !== this.#archived) return false;
    if (this.#search !== '') return this.#listed.has(row.id);
    return this.#listed.has(row.id) || isWithin(row, this.#next);
  }

  #keep(told: readonly Conversation[]): void {
    const later = told.filter((row) => (this.#rows.get(row.id)?.version ?? 0) <= row.version);
    this.#rows = withEntries(
      this.#rows,
      later.map((row) => [row.id, row] as const),
    );
  }

  #arrange(): void {
    const rows = [...this.#listed].flatMap((id) => this.#rows.get(id) ?? []);
    this.#shown = boardPlaces({ shown: this.#shown, rows, inHand: this.#inHand });
  }
}

export const board = new BoardState();
