import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { writePrivateFile } from './passwords.js';
import { socketFiles, type Owner } from './postgres-folders.js';
import {
  commandLineOf,
  identifyProcess,
  isStillRunning,
  ProcessIdentity,
  waitUntilGone,
} from './process-identity.js';

/** `<home>/postgres/server.json`: the server that was started last, and the process that started it. */
const ServerRecord = z.object({ server: ProcessIdentity, holder: ProcessIdentity });
type ServerRecord = z.infer<typeof ServerRecord>;

/** How long each way of asking a server to stop may take before the next, firmer one. */
const STOP_STEPS = [
  // smart: waits for the clients, which normally have left already
  { signal: 'SIGTERM', withinMs: 1_500 },
  // fast: ends the clients, rolls back what they had open
  { signal: 'SIGINT', withinMs: 15_000 },
  // immediate: no shutdown checkpoint; the next start recovers from the log
  { signal: 'SIGQUIT', withinMs: 5_000 },
] as const;

/** Writes down which server runs here and who holds it. */
export async function recordServer(
  file: string,
  pid: number,
  owner: Owner,
): Promise<ProcessIdentity> {
  const [server, holder] = await Promise.all([identifyProcess(pid), identifyProcess(process.pid)]);
  if (server === undefined || holder === undefined) {
    throw new EmbeddedPostgresError('START_FAILED', 'PostgreSQL ended as soon as it was started.');
  }
  await writePrivateFile(file, JSON.stringify({ server, holder } satisfies ServerRecord), owner);
  return server;
}

/**
 * Stops a server that a killed hub has left running on this data folder, and clears its lock files away.
 *
 * A new server is started afterwards instead of adopting the old one: that takes 0.2 s, and what runs is then sure to
 * have this version's binaries and settings and to be a child whose end is noticed.
 *
 * @returns whether a server was stopped
 * @throws EmbeddedPostgresError IN_USE where the process that started it is still alive
 */
export async function stopLeftBehind(options: {
  readonly dataFolder: string;
  readonly recordFile: string;
}): Promise<boolean> {
  const { dataFolder, recordFile } = options;
  const lock = await readServerLock(dataFolder);
  const record = await readRecord(recordFile);
  const running =
    lock === undefined ? undefined : await ourServer({ dataFolder, pid: lock.pid, record });
  if (running !== undefined) {
    await refuseWhileHeld(running, record);
    await stopServer(running);
  }
  if (lock !== undefined) await releaseLocks(dataFolder, lock);
  return running !== undefined;
}

/**
 * Asks a server to stop, more firmly each time.
 *
 * @throws EmbeddedPostgresError NOT_STOPPED
 */
export async function stopServer(server: ProcessIdentity): Promise<void> {
  for (const { signal, withinMs } of STOP_STEPS) {
    if (!(await isStillRunning(server))) return;
    signalIfThere(server.pid, signal);
    if (await waitUntilGone(server, withinMs)) return;
  }
  throw new EmbeddedPostgresError(
    'NOT_STOPPED',
    `PostgreSQL (process ${server.pid}) does not stop. Look at what it waits for, then end it with: kill -9 ${server.pid}`,
  );
}

/** What a server writes into its `postmaster.pid` (PostgreSQL's `src/include/utils/pidfile.h`): a value a line. */
export interface ServerLock {
  readonly pid: number;
  readonly socketFolder: string | undefined;
  readonly status: string | undefined;
}

/** The lock file in a data folder; undefined where there is none or it holds no process id. */
export async function readServerLock(dataFolder: string): Promise<ServerLock | undefined> {
  const raw = await readFile(lockFile(dataFolder), 'utf8').catch(() => '');
  const [pid, , , , socketFolder, , , status] = raw.split('\n').map((line) => line.trim());
  if (!/^\d+$/.test(pid ?? '')) return undefined;
  return { pid: Number(pid), socketFolder: socketFolder || undefined, status };
}

async function ourServer(options: {
  readonly dataFolder: string;
  readonly pid: number;
  readonly record: ServerRecord | undefined;
}): Promise<ProcessIdentity | undefined> {
  const found = await identifyProcess(options.pid);
  if (found === undefined) return undefined;
  const recorded = options.record?.server;
  if (recorded?.pid === found.pid && recorded.start === found.start) return found;
  // Killed before it could be written down: its command line tells the folder that it serves.
  const command = await commandLineOf(options.pid);
  const serves = command?.includes(`postgres -D ${options.dataFolder} `) ?? false;
  return serves ? found : undefined;
}

async function refuseWhileHeld(
  server: ProcessIdentity,
  record: ServerRecord | undefined,
): Promise<void> {
  if (record === undefined || record.server.pid !== server.pid) return;
  if (!(await isStillRunning(record.holder))) return;
  throw new EmbeddedPostgresError(
    'IN_USE',
    `Coxswain already runs with this folder (process ${record.holder.pid}). Stop that one first, ` +
      'or start a second one with another COXSWAIN_HOME.',
  );
}

/**
 * Makes way for a new server. PostgreSQL takes any process that has the id in the lock file for a running server, unless
 * it is its own parent; so a reused id is replaced by ours. The file itself stays: by the rest of it PostgreSQL finds
 * out whether processes of the old server still use its shared memory.
 */
async function releaseLocks(dataFolder: string, lock: ServerLock): Promise<void> {
  const raw = await readFile(lockFile(dataFolder), 'utf8').catch(() => undefined);
  if (raw !== undefined) {
    await writeFile(lockFile(dataFolder), raw.replace(/^\s*\d+/, String(process.pid)));
  }
  if (lock.socketFolder === undefined) return;
  await Promise.all(socketFiles(lock.socketFolder).map((file) => rm(file, { force: true })));
}

async function readRecord(file: string): Promise<ServerRecord | undefined> {
  const raw = await readFile(file, 'utf8').catch(() => undefined);
  if (raw === undefined) return undefined;
  try {
    return ServerRecord.parse(JSON.parse(raw));
  } catch {
    // Half a record is as good as none: the command line decides then.
    return undefined;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function lockFile(dataFolder: string): string {
  return path.join(dataFolder, 'postmaster.pid');
}
