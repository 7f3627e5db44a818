import type { RelayCursor } from '#contracts';
import type { LinkCursor } from '../ports/reads.js';
import type { Incarnations, KnownToRelay } from '../ports/link-restoration.js';

/**
 * Link rule 10: whether a relay was acknowledged beyond what the hub has, or has more of the hub's words than the hub
 * remembers having said. Neither can be unless the hub's database was put back to an older state.
 */
export function knowsMore(theirs: RelayCursor, ours: LinkCursor): boolean {
  return (theirs.acked ?? 0) > ours.received || theirs.received > ours.sent;
}

/**
 * Whether a new incarnation begins with what a relay knows more. It does not where the relay was attached to an earlier
 * one last: that one's end was seen already, when another relay came.
 */
export function beginsIncarnation(of: {
  readonly knowsMore: boolean;
  /** that the relay was attached to last, where it knows */
  readonly last: string | undefined;
  readonly incarnations: Incarnations;
}): boolean {
  if (!of.knowsMore) return false;
  return of.last === undefined || !of.incarnations.earlier.includes(of.last);
}

/** A cursor without what only matters on the link. */
export const knownOf = ({ conversationId, epoch, received }: RelayCursor): KnownToRelay => ({
  conversationId,
  epoch,
  received,
});
