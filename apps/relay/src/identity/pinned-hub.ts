import path from 'node:path';
import { MACHINE_DISK, type Disk } from '../disk/disk.js';
import { writeWholeFile } from '../disk/whole-file.js';

/** Whether a hub that proved its key is the one that this relay belongs to. */
export type Pinning =
  { readonly ok: true; readonly first: boolean } | { readonly ok: false; readonly message: string };

/**
 * The one hub that this relay obeys: the key that it was told to expect, else the first that it met (trust on
 * first use). A relay runs agents with its user's rights, so it obeys nobody else.
 */
export class PinnedHub {
  readonly #file: string;

  constructor(
    home: string,
    private readonly expected?: string,
    private readonly disk: Disk = MACHINE_DISK,
  ) {
    this.#file = path.join(home, 'hub-key');
  }

  /** A key that can't be read or written down is no first meeting: the relay then talks to nobody. */
  async check(hubKey: string): Promise<Pinning> {
    try {
      const pinned = this.expected ?? (await this.#read());
      if (pinned === hubKey) return { ok: true, first: false };
      if (pinned !== undefined) return { ok: false, message: this.#isAnother() };
      await writeWholeFile(this.disk, this.#file, `${hubKey}\n`);
      return { ok: true, first: true };
    } catch (error) {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      const message = `The relay can't tell whether this is the hub that it belongs to, so it does not talk to it: ${this.#file} can't be used (${code}).`;
      return { ok: false, message };
    }
  }

  #isAnother(): string {
    const mend =
      this.expected === undefined
        ? `If the hub was set up anew on purpose, remove ${this.#file} and start the relay again.`
        : 'Another program may be listening at its address.';
    return `The hub at this address has another key than the hub that this relay belongs to, so the relay does not talk to it. ${mend}`;
  }

  async #read(): Promise<string | undefined> {
    try {
      return (await this.disk.read(this.#file)).toString('utf8').trim();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }
}
