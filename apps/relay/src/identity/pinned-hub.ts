import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
  ) {
    this.#file = path.join(home, 'hub-key');
  }

  async check(hubKey: string): Promise<Pinning> {
    const pinned = this.expected ?? (await this.#read());
    if (pinned === undefined) {
      await this.#write(hubKey);
      return { ok: true, first: true };
    }
    if (pinned === hubKey) return { ok: true, first: false };
    const mend =
      this.expected === undefined
        ? `If the hub was set up anew on purpose, remove ${this.#file} and start the relay again.`
        : 'Another program may be listening at its address.';
    return {
      ok: false,
      message: `The hub at this address has another key than the hub that this relay belongs to, so the relay does not talk to it. ${mend}`,
    };
  }

  async #read(): Promise<string | undefined> {
    try {
      return (await readFile(this.#file, 'utf8')).trim();
    } catch {
      return undefined;
    }
  }

  async #write(hubKey: string): Promise<void> {
    await writeFile(`${this.#file}.new`, `${hubKey}\n`, { mode: 0o600 });
    await rename(`${this.#file}.new`, this.#file);
  }
}
