import { identifyProcess, isStillRunning, ProcessIdentity } from '#persistence';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Another supervisor runs on the same home. */
export class HomeInUseError extends Error {}

/** Holds a home until it is released or the process ends. */
export interface HomeLock {
  release(): Promise<void>;
}

/** A killed holder leaves its lock behind; more than one such in a row means that others are faster than we. */
const TRIES = 5;

/**
 * One supervisor a home: the lock file holds the process that has it, by id and start, so that a lock that a killed
 * supervisor left behind is told from one that is held.
 *
 * @throws HomeInUseError
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const file = path.join(home, 'supervisor.lock');
  const self = await identifyProcess(process.pid);
  if (self === undefined) throw new Error('The running process does not find itself.');
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await create(file, self)) return { release: () => rm(file, { force: true }) };
    const holder = await holderOf(file);
    if (holder !== undefined && (await isStillRunning(holder))) throw inUse(home, holder);
    await putAside(file, holder);
  }
  throw new HomeInUseError(`Others start on ${home} at the same time. Start one, then look at it.`);
}

/** A link appears with its content or not at all, unlike a file that is opened and then written. */
async function create(file: string, self: ProcessIdentity): Promise<boolean> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function holderOf(file: string): Promise<ProcessIdentity | undefined> {
  const raw = await readFile(file, 'utf8').catch(() => '');
  try {
    return ProcessIdentity.parse(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

/** Takes a dead lock away, unless a faster one has replaced it meanwhile: then it goes back. */
async function putAside(file: string, dead: ProcessIdentity | undefined): Promise<void> {
  const aside = `${file}.dead.${process.pid}`;
  await rename(file, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const found = await holderOf(aside);
  const isTheDeadOne = found?.pid === dead?.pid && found?.start === dead?.start;
  if (!isTheDeadOne) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function inUse(home: string, holder: ProcessIdentity): HomeInUseError {
  return new HomeInUseError(
    `Coxswain already runs with ${home} (process ${holder.pid}). Use that one, stop it first, ` +
      'or start a second one with another COXSWAIN_HOME and another COXSWAIN_PORT.',
  );
}
