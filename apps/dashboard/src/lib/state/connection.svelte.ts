import { hubClock } from './hub-clock.svelte.js';

export type ConnectionPhase =
  | 'connecting'
  | 'live'
  | 'reconnecting'
  | 'stale'
  | 'offline'
  /** The hub answers, and says that its database does not. */
  | 'no-database';

/** A line that is down for no longer than this is being mended, and nothing shown is called stale yet. */
const MENDING_MS = 6_000;

/** How the page stands to the hub, in one word. */
class Connection {
  #live = $state(false);
  #everLive = $state(false);
  #lostAt = $state<number | undefined>(hubClock.now);
  #online = $state(navigator.onLine);
  #unreadable = $state(false);
  #databaseLostAt = $state<number | undefined>(undefined);

  constructor() {
    window.addEventListener('online', () => (this.#online = true));
    window.addEventListener('offline', () => (this.#online = false));
  }

  get phase(): ConnectionPhase {
    if (!this.#online && !this.#live) return 'offline';
    if (this.#databaseLostAt !== undefined) return 'no-database';
    if (this.#live) return 'live';
    const down = hubClock.now - (this.#lostAt ?? hubClock.now);
    if (down > MENDING_MS) return 'stale';
    return this.#everLive ? 'reconnecting' : 'connecting';
  }

  /** Since when nothing was heard, or the hub is without its database. */
  get since(): number | undefined {
    return this.#databaseLostAt ?? this.#lostAt;
  }

  /** Whether hub and page speak different versions. */
  get unreadable(): boolean {
    return this.#unreadable;
  }

  connected(): void {
    this.#live = true;
    this.#everLive = true;
    this.#lostAt = undefined;
  }

  disconnected(): void {
    this.#live = false;
    this.#lostAt ??= hubClock.now;
  }

  /** Takes whether the hub says that its database is away. */
  databaseAway(away: boolean): void {
    if (away) this.#databaseLostAt ??= hubClock.now;
    else this.#databaseLostAt = undefined;
  }

  foundUnreadable(): void {
    this.#unreadable = true;
  }
}

export const connection = new Connection();
