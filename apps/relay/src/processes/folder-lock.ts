import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
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

const NAME = /^relay\.lock\.(\d+)$/;

/**
 * One relay a folder (link rule 7). The lock is the file with the highest number: who finds its holder gone,
 * however it ended, makes the next one. Numbers only rise, so that of many who find the same stale lock at once
 * one wins, and nobody ever removes the lock of another.
 */
export class FolderLock {
  private constructor(private readonly file: string) {}

  /** Rejects with {@link FolderTaken} when a running relay holds it. */
  static async take(folder: string): Promise<FolderLock> {
    const making = path.join(folder, `.relay-lock-${randomUUID()}`);
    await writeFile(making, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
    try {
      for (;;) {
        const highest = await highestIn(folder);
        await FolderLock.#refuseIfHeld(folder, highest);
        const file = fileOf(folder, highest + 1);
        // A link appears whole or not at all, and only where none is.
        if (!(await linked(making, file))) continue;
        if ((await highestIn(folder)) === highest + 1) {
          await removeBelow(folder, highest + 1);
          return new FolderLock(file);
        }
        await rm(file, { force: true });
      }
    } finally {
      await rm(making, { force: true });
    }
  }

  /** Lets go of the folder; the file stays, held by nobody, so that numbers never go back. */
  async release(): Promise<void> {
    await truncate(this.file, 0).catch(() => undefined);
  }

  static async #refuseIfHeld(folder: string, number: number): Promise<void> {
    const holder = await holderOf(fileOf(folder, number));
    if (holder !== undefined && isStillRunning(holder)) throw new FolderTaken(folder, holder.pid);
  }
}

const fileOf = (folder: string, number: number): string =>
  path.join(folder, `relay.lock.${number}`);

async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

async function highestIn(folder: string): Promise<number> {
  return Math.max(0, ...(await numbersIn(folder)));
}

async function removeBelow(folder: string, number: number): Promise<void> {
  const old = (await numbersIn(folder)).filter((found) => found < number);
  await Promise.all(old.map((found) => rm(fileOf(folder, found), { force: true })));
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
