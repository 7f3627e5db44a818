import { type InboxEntry, type RequestId } from '#contracts';
import { byUrgency } from '#domain';

/**
 * The order in which the inbox shows its requests (D1). While somebody points at the list or types in it, nothing
 * that is shown changes its place: what is new goes to the end, what ended stays where it was. Otherwise it is
 * by urgency.
 */
export function inboxPlaces(of: {
  readonly shown: readonly RequestId[];
  readonly open: readonly InboxEntry[];
  readonly inHand: boolean;
}): readonly RequestId[] {
  const urgent = [...of.open].sort(byUrgency).map((entry) => entry.request.id);
  if (!of.inHand) return urgent;
  const known = new Set(of.shown);
  return [...of.shown, ...urgent.filter((id) => !known.has(id))];
}
