import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProcessIdentity, identifyProcess, isStillRunning } from './process-identity.js';

/** Another relay that runs has this folder. */
export class FolderTaken extends Error {
  constructor(folder: string, pid: number) {
    super(
      `Another relay (process ${pid}) already uses ${folder}. Stop it first, or give this one a folder of its own.`,
    );
    this.name = 'FolderTaken';
  }
}

/** One relay a folder (link rule 7). The lock of a process that is gone, however it ended, is taken over. */
export class FolderLock {
  private constructor(private readonly file: string) {}

  /** Rejects with {@link FolderTaken} when a running relay holds it. */
  static async take(folder: string): Promise<FolderLock> {
    const file = path.join(folder, 'relay.lock');
    const own = identifyProcess(process.pid);
    const making = path.join(folder, `.relay.lock-${randomUUID()}`);
    await writeFile(making, JSON.stringify(own), { mode: 0o600 });
    try {
      // A link appears whole or not at all, and only where none is: one of two that start at once wins.
      while (!(await linked(making, file))) await FolderLock.#clearStale(file, folder);
    } finally {
      await rm(making, { force: true });
    }
    return new FolderLock(file);
  }

  async release(): Promise<void> {
    await rm(this.file, { force: true });
  }

  static async #clearStale(file: string, folder: string): Promise<void> {
    const holder = await holderOf(file);
    if (holder !== undefined && isStillRunning(holder)) throw new FolderTaken(folder, holder.pid);
    const aside = path.join(folder, `.relay.lock-${randomUUID()}`);
    try {
      await rename(file, aside);
    } catch {
      return; // Somebody else cleared it; whoever links first has it.
    }
    const moved = await holderOf(aside);
    // Between the look and the rename another relay may have taken the lock: it gets it back.
    if (moved !== undefined && isStillRunning(moved)) await linked(aside, file);
    await rm(aside, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function holderOf(file: string): Promise<ProcessIdentity | undefined> {
  try {
    return ProcessIdentity.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
