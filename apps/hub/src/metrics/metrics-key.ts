import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What a collector of figures shows to be let in: the content of a file in the hub's own folder, 0600, made at the first
 * start. It opens the figures and nothing else.
 */
export class MetricsKey {
  private constructor(private readonly key: Buffer) {}

  static async readOrMake(home: string): Promise<MetricsKey> {
    const file = path.join(home, 'metrics.key');
    const made = randomBytes(32).toString('base64url');
    try {
      await writeFile(file, made, { mode: 0o600, flag: 'wx' });
      return new MetricsKey(Buffer.from(made));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const key = (await readFile(file, 'utf8')).trim();
    if (key.length < 32) {
      throw new Error(`${file} holds no key. Delete it, and the next start makes a new one.`);
    }
    return new MetricsKey(Buffer.from(key));
  }

  opensWith(shown: string | undefined): boolean {
    const given = Buffer.from(shown ?? '');
    return given.length === this.key.length && timingSafeEqual(given, this.key);
  }
}
