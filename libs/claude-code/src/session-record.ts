import { setTimeout as pause } from 'node:timers/promises';
import { Transcript } from './transcript.js';

/** The client writes within 100 ms; a machine under load may take longer. */
const LOOKS = 120;
const LOOK_EVERY_MS = 25;

/** The client's own record of one session, which it writes a little behind what it streams. */
export class SessionRecord {
  #transcript: Transcript | undefined;

  constructor(
    private readonly configFolder: string,
    private readonly sessionRef: string,
  ) {}

  /** Looks until something is found; undefined when it did not come within three seconds. */
  async until<T>(look: (transcript: Transcript) => Promise<T | undefined>): Promise<T | undefined> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      this.#transcript ??= await Transcript.find(this.configFolder, this.sessionRef);
      const found = this.#transcript && (await look(this.#transcript));
      if (found !== undefined) return found;
      await pause(LOOK_EVERY_MS);
    }
    return undefined;
  }
}
