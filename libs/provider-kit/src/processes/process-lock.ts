import { randomUUID } from 'node:crypto';
import { link, readFile, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProcessIdentity, identifyProcess, isStillRunning } from './process-identity.js';

/** A process that runs holds the lock. */
export class LockHeld extends Error {
  constructor(readonly pid: number) {
    super(`process ${pid} holds it`);
    this.name = 'LockHeld';
  }
}

/**
 * One process at a time (link rule 7). The lock is the file with the highest number: who finds its holder gone,
 * however it ended, makes the next one. Numbers only rise, so that of many who find the same stale lock at once
 * one wins, and nobody ever removes the lock of another.
 */
export class ProcessLock {
  private constructor(private readonly file: string) {}

  /** Makes `<folder>/<name>.lock.<number>`. Rejects with {@link LockHeld} when a running process holds it. */
  static async take(folder: string, name: string): Promise<ProcessLock> {
    const place = { folder, name };
    const making = path.join(folder, `.${name}-lock-${randomUUID()}`);
    await writeFile(making, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
    try {
      for (;;) {
        const highest = await highestIn(place);
        await refuseIfHeld(fileOf(place, highest));
        const file = fileOf(place, highest + 1);
        // A link appears whole or not at all, and only where none is.
        if (!(await linked(making, file))) continue;
        if ((await highestIn(place)) === highest + 1) {
          await removeBelow(place, highest + 1);
          return new ProcessLock(file);
        }
        await rm(file, { force: true });
      }
    } finally {
      await rm(making, { force: true });
    }
  }

  /** Lets go; the file stays, held by nobody, so that numbers never go back. */
  async release(): Promise<void> {
    await truncate(this.file, 0).catch(() => undefined);
  }
}

interface Place {
  readonly folder: string;
  readonly name: string;
}

async function refuseIfHeld(file: string): Promise<void> {
  const holder = await holderOf(file);
  if (holder !== undefined && isStillRunning(holder)) throw new LockHeld(holder.pid);
}

const fileOf = ({ folder, name }: Place, number: number): string =>
  path.join(folder, `${name}.lock.${number}`);

async function numbersIn({ folder, name }: Place): Promise<number[]> {
  const start = `${name}.lock.`;
  const names = await readdir(folder);
  return names.flatMap((found) => {
    const number = found.startsWith(start) ? found.slice(start.length) : '';
    return /^\d+$/.test(number) ? [Number(number)] : [];
  });
}

async function highestIn(place: Place): Promise<number> {
  return Math.max(0, ...(await numbersIn(place)));
}

async function removeBelow(place: Place, number: number): Promise<void> {
  const old = (await numbersIn(place)).filter((found) => found < number);
  await Promise.all(old.map((found) => rm(fileOf(place, found), { force: true })));
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
