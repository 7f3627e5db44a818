import type { Duration, Instant } from '#contracts';

/** What a hub knows of the database's clock at one moment. */
export interface ClockReading {
  readonly now: Instant;
  /** When a hub last saw it before. */
  readonly seenAt: Instant;
}

/** C7: a clock that nobody saw for longer, or that was set by more, ran without the person. */
const UNSEEN_MS: Duration = 60_000;
/** What is open then stays open for this long at least. */
export const TIME_GIVEN_MS: Duration = 600_000;

/** Whether the clock ran on, or was set, while no hub saw it. */
export function ranUnseen({ now, seenAt }: ClockReading): boolean {
  return Math.abs(now - seenAt) > UNSEEN_MS;
}

/** C7: whether a deadline has passed in time that counts. One that passed while the clock ran unseen has not. */
export function deadlinePassed(deadlineAt: Instant, clock: ClockReading): boolean {
  if (deadlineAt > clock.now) return false;
  return !ranUnseen(clock) || deadlineAt <= clock.seenAt;
}
