import {
  type BoardCursor,
  type Conversation,
  type ConversationId,
  type ConversationState,
} from '#contracts';

/** What the board can be narrowed to; each group holds states that mean the same to a person. */
export const FILTERS = ['all', 'needsYou', 'working', 'resting', 'troubled'] as const;
export type BoardFilter = (typeof FILTERS)[number];

const GROUP: { readonly [S in ConversationState]: Exclude<BoardFilter, 'all'> } = {
  starting: 'working',
  running: 'working',
  'waiting-on-you': 'needsYou',
  'waiting-on-agent': 'working',
  'waiting-for-reply': 'needsYou',
  idle: 'resting',
  done: 'resting',
  stuck: 'troubled',
  failed: 'troubled',
  asleep: 'resting',
};

export const fits = (row: Conversation, filter: BoardFilter): boolean =>
  filter === 'all' || GROUP[row.state] === filter;

/** The board's order: what moved last comes first; by id where two moved at once. */
export function byRecency(a: Conversation, b: Conversation): number {
  return b.lastEventAt - a.lastEventAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}

/** Whether a row that was told of live lies within the pages that are loaded. */
export function isWithin(row: Conversation, next: BoardCursor | undefined): boolean {
  return next === undefined || row.lastEventAt >= next.lastEventAt;
}

/**
 * The order in which rows are shown: by recency, save that while somebody points at the list what is shown keeps
 * its place and what is new goes to the end.
 */
export function boardPlaces(of: {
  readonly shown: readonly ConversationId[];
  readonly rows: readonly Conversation[];
  readonly inHand: boolean;
}): readonly ConversationId[] {
  const recent = [...of.rows].sort(byRecency).map((row) => row.id);
  if (!of.inHand) return recent;
  const there = new Set(recent);
  const kept = of.shown.filter((id) => there.has(id));
  const known = new Set(kept);
  return [...kept, ...recent.filter((id) => !known.has(id))];
}
