import { ROUTES } from '#contracts';
import { httpCall, type Fetch } from '../api/http-call.js';
import { HubRefusal } from '../api/hub-refusal.js';

/** How often the hub is asked while all is well, and while its database is away. */
const CALM_MS = 10_000;
const AWAY_MS = 2_000;

export interface DatabaseWatchSurroundings {
  readonly fetch: Fetch;
  /** Told after each look. A hub that does not answer has not said that its database is away. */
  readonly told: (away: boolean) => void;
  /** Whether anybody looks at the page: a hidden one asks nothing. */
  readonly seen: () => boolean;
}

/**
 * Asks the hub whether it reaches its database: the live line stands on while that is away, and would look as if
 * all were well.
 */
export class DatabaseWatch {
  #next: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #stopped = false;

  constructor(private readonly around: DatabaseWatchSurroundings) {}

  /** Asks at once, and from then on by itself. */
  async look(): Promise<void> {
    if (this.#asking || this.#stopped) return;
    this.#asking = true;
    clearTimeout(this.#next);
    const away = this.around.seen() ? await this.#isAway() : undefined;
    this.#asking = false;
    if (this.#stopped) return;
    if (away !== undefined) this.around.told(away);
    this.#next = setTimeout(() => void this.look(), away === true ? AWAY_MS : CALM_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#next);
  }

  async #isAway(): Promise<boolean> {
    const { method, path, answer } = ROUTES.ready;
    try {
      await httpCall(answer, { method, path }, this.around.fetch);
      return false;
    } catch (error) {
      return error instanceof HubRefusal && error.code === 'UNAVAILABLE';
    }
  }
}
