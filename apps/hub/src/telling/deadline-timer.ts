import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Committed } from '#domain';

/** Looked at this often whatever is expected: a moved clock or a write of another hub's shows within it. */
const LOOK_EVERY_MS = 5_000;
/** After a look that failed, such as with the database away. */
const AGAIN_AFTER_MS = 1_000;
/** Longer waits overflow Node's timer and fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** C7: one timer for all deadlines. It only says "look"; the database decides what has passed. */
@Injectable()
export class DeadlineTimer implements OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  /** By `performance.now()`, which no clock step moves. */
  private dueAt = Infinity;
  private running = false;
  private look: (() => Promise<number | undefined>) | undefined;

  /** @param look closes what is due and gives the milliseconds until the next deadline, where there is one */
  start(look: () => Promise<number | undefined>): void {
    this.look = look;
    this.arm(0);
  }

  /** A write that opened or moved a deadline: the timer rings for it if it is the nearest. */
  noticed(committed: Committed): void {
    const now = committed.events.at(-1)?.at;
    if (now === undefined) return;
    for (const request of committed.requests) {
      if (request.status === 'open') this.arm(request.deadlineAt - now);
    }
  }

  onApplicationShutdown(): void {
    this.look = undefined;
    clearTimeout(this.timer);
  }

  private arm(wait: number): void {
    const clamped = Math.min(Math.max(wait, 0), LOOK_EVERY_MS, LONGEST_MS);
    const at = performance.now() + clamped;
    if (this.look === undefined || at >= this.dueAt) return;
    clearTimeout(this.timer);
    this.dueAt = at;
    this.timer = setTimeout(() => void this.ring(), clamped).unref();
  }

  private async ring(): Promise<void> {
    this.dueAt = Infinity;
    if (this.running || this.look === undefined) return;
    this.running = true;
    const next = await this.look().catch(() => AGAIN_AFTER_MS);
    this.running = false;
    this.arm(next ?? LOOK_EVERY_MS);
  }
}
