import type { InboxEntry } from '#contracts';

/** D1: nearest deadline first, then longest waiting, then by id so that nothing jumps. */
export function byUrgency(a: InboxEntry, b: InboxEntry): number {
  return (
    a.request.deadlineAt - b.request.deadlineAt ||
    a.request.openedAt - b.request.openedAt ||
    a.request.id.localeCompare(b.request.id)
  );
}
