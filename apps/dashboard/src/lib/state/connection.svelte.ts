import { hubClock } from './hub-clock.svelte.js';

export type ConnectionPhase = 'connecting' | 'live' | 'reconnecting' | 'stale' | 'offline';

/** A line that is down for no longer than this is being mended, and nothing shown is called stale yet. */
const MENDING_MS = 6_000;

/** How the page stands to the hub, in one word. */
class Connection {
  #live = $state(false);
  #everLive = $state(false);
  #lostAt = $state<number | undefined>(hubClock.now);
  #online = $state(navigator.onLine);
  #unreadable = $state(false);

  constructor() {
    window.addEventListener('online', () => (this.#online = true));
    window.addEventListener('offline', () => (this.#online = false));
  }

  get phase(): ConnectionPhase {
    if (this.#live) return 'live';
    if (!this.#online) return 'offline';
    const down = hubClock.now - (this.#lostAt ?? hubClock.now);
    if (down > MENDING_MS) return 'stale';
    return this.#everLive ? 'reconnecting' : 'connecting';
  }

  /** Since when nothing was heard. */
  get since(): number | undefined {
    return this.#lostAt;
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

  foundUnreadable(): void {
    this.#unreadable = true;
  }
}

export const connection = new Connection();
