import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Disk } from '../disk/disk.js';

/** `<what it was>.<milliseconds since 1970>.<at random>`: a rename does not change a folder's own time. */
const NAME = /\.(\d{13,})\.[0-9a-f-]{36}$/;

export interface PutAsideOptions {
  readonly disk: Disk;
  /** How long something is kept. */
  readonly keptMs: number;
  now(): number;
}

/** Journals that are not this relay's any more, and files that can't be read: kept for a while, never played. */
export class PutAside {
  constructor(
    private readonly folder: string,
    private readonly options: PutAsideOptions,
  ) {}

  /** Moves a folder or a file here. Rejects with the system's error, and leaves it where it was. */
  async take(what: string, name = path.basename(what)): Promise<void> {
    const { disk, now } = this.options;
    await disk.makeFolder(this.folder);
    await disk.rename(what, path.join(this.folder, `${name}.${now()}.${randomUUID()}`));
    await disk.syncFolder(this.folder);
    await disk.syncFolder(path.dirname(what));
  }

  /** Removes what was put aside long ago. */
  async clear(): Promise<void> {
    const { disk, keptMs, now } = this.options;
    await disk.makeFolder(this.folder);
    for (const name of await disk.list(this.folder)) {
      const file = path.join(this.folder, name);
      const stamp = NAME.exec(name)?.[1];
      const since = stamp === undefined ? (await disk.stat(file)).changedAt : Number(stamp);
      if (now() - since >= keptMs) await disk.remove(file);
    }
  }
}
