import type { StoredEvent } from '#contracts';

/** What a stop logs before it logs itself. */
const BEFORE_STOP: ReadonlySet<string> = new Set(['request-closed', 'delivery-changed']);

/** The place at which a stop would stand that was logged in one write with the event at `from`. */
export function endOfWrite(events: readonly StoredEvent[], from: number): number {
  const rest = events.slice(from + 1).findIndex(({ body }) => !BEFORE_STOP.has(body.kind));
  return from + 1 + Math.max(rest, 0);
}
