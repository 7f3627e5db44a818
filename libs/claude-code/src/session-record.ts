import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Transcript } from './transcript.js';

/** The client writes within 100 ms; a machine under load may take longer. */
const LOOKS = 120;
const LOOK_EVERY_MS = 25;
/** What has not come by then is looked for again after a while. */
const LOOK_AGAIN_EVERY_MS = 2_000;

/** The client's own record of one session, which it writes a little behind what it streams. */
export class SessionRecord {
  #transcript: Transcript | undefined;
  readonly #closed = new AbortController();

  constructor(
    private readonly configFolder: string,
    private readonly sessionRef: string,
  ) {
    setMaxListeners(0, this.#closed.signal);
  }

  /** Looks until something is found; undefined when it did not come within three seconds. */
  async soon<T>(look: (transcript: Transcript) => Promise<T | undefined>): Promise<T | undefined> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const found = await this.#look(look);
      if (found !== undefined) return found;
      if (!(await this.#pause(LOOK_EVERY_MS))) return undefined;
    }
    return undefined;
  }

  /**
   * Looks until something is found, or until it has been looked for well after `enough` holds; undefined then, and
   * where the session ended before.
   */
  async once<T>(
    look: (transcript: Transcript) => Promise<T | undefined>,
    enough: () => boolean,
  ): Promise<T | undefined> {
    let found = await this.soon(look);
    while (found === undefined && !enough() && (await this.#pause(LOOK_AGAIN_EVERY_MS))) {
      found = await this.soon(look);
    }
    return found;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** The session has ended: what is still looked for is not found any more. */
  close(): void {
    this.#closed.abort();
  }

  async #look<T>(look: (transcript: Transcript) => Promise<T | undefined>): Promise<T | undefined> {
    this.#transcript ??= await Transcript.find(this.configFolder, this.sessionRef);
    return this.#transcript && look(this.#transcript);
  }

  /** False where the session ended. */
  #pause(ms: number): Promise<boolean> {
    return pause(ms, true, { signal: this.#closed.signal }).catch(() => false);
  }
}
