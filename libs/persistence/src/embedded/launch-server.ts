import type { ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { readServerLock, recordServer, stopServer } from './left-behind.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { Owner } from './postgres-folders.js';
import type { ProcessIdentity } from './process-identity.js';
import { spawnAs, type RunAs } from './run-as.js';
import { serverArguments, serverEnvironment, type ServerSettings } from './server-settings.js';

/** How a server ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server that accepts connections. */
export interface LaunchedServer {
  readonly identity: ProcessIdentity;
  readonly exited: Promise<ServerEnd>;
}

/** What {@link launchServer} needs. */
export interface LaunchOptions {
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly settings: ServerSettings;
  readonly logFile: string;
  readonly recordFile: string;
  readonly homeOwner: Owner;
  /** how long it may take until it accepts connections, in milliseconds; two minutes by default */
  readonly readyWithinMs?: number;
}

/** A crash recovery over the whole of `max_wal_size` on a slow disk takes tens of seconds. */
const START_WITHIN_MS = 120_000;
const MAX_LOG_BYTES = 1_000_000;
/** What PostgreSQL says while processes of a server that was killed are still on their way out. */
const OLD_SERVER_LEAVING = 'pre-existing shared memory block';
const RETRIES_WHILE_LEAVING = 40;

/**
 * Starts PostgreSQL and waits until it accepts connections.
 *
 * It leads a session of its own, so that a Ctrl-C at the terminal reaches only us and the order of stopping is ours;
 * its words go to a file and not to a pipe, so that it outlives a hub that is killed.
 *
 * @throws EmbeddedPostgresError START_FAILED with the last words of the server
 */
export async function launchServer(options: LaunchOptions): Promise<LaunchedServer> {
  for (let retries = 0; ; retries += 1) {
    const logFrom = await rotateLog(options.logFile);
    try {
      return await launchOnce(options);
    } catch (error) {
      if (!(error instanceof EmbeddedPostgresError) || error.code !== 'START_FAILED') throw error;
      const said = (await readFile(options.logFile, 'utf8').catch(() => '')).slice(logFrom);
      if (!said.includes(OLD_SERVER_LEAVING) || retries === RETRIES_WHILE_LEAVING) {
        throw new EmbeddedPostgresError(
          'START_FAILED',
          `${error.message} It said: ${lastLines(said)}`,
          {
            cause: error,
          },
        );
      }
      await delay(250);
    }
  }
}

async function launchOnce(options: LaunchOptions): Promise<LaunchedServer> {
  const { binaries, runAs, settings } = options;
  const log = await open(options.logFile, 'a', 0o600);
  try {
    const child = spawnAs(runAs, [binaries.postgres, ...serverArguments(settings)], {
      env: serverEnvironment(),
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const exited = endOf(child);
    if (child.pid === undefined)
      throw startFailed('it could not be run', await exited.catch((e: unknown) => e));
    const identity = await recordServer(options.recordFile, child.pid, options.homeOwner);
    try {
      const within = options.readyWithinMs ?? START_WITHIN_MS;
      await untilReady({ dataFolder: settings.dataFolder, pid: identity.pid, exited, within });
    } catch (error) {
      await stopServer(identity);
      throw error;
    }
    return { identity, exited };
  } finally {
    await log.close();
  }
}

function endOf(child: ChildProcess): Promise<ServerEnd> {
  const end = new Promise<ServerEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  // Whoever awaits it sees the failure; nobody awaiting it must not end the process.
  end.catch(() => undefined);
  return end;
}

/** PostgreSQL itself writes into its lock file when it accepts connections (that is how `pg_ctl -w` knows). */
async function untilReady(of: {
  readonly dataFolder: string;
  readonly pid: number;
  readonly exited: Promise<ServerEnd>;
  readonly within: number;
}): Promise<void> {
  const { dataFolder, pid, exited, within } = of;
  let ended: ServerEnd | undefined;
  void exited.then(
    (end) => (ended = end),
    () => (ended = { code: null, signal: null }),
  );
  const pollMs = 10;
  for (let waited = 0; waited < within; waited += pollMs) {
    if (ended !== undefined) throw startFailed(`it ended with ${ended.code ?? ended.signal}`);
    const lock = await readServerLock(dataFolder);
    if (lock?.pid === pid && lock.status === 'ready') return;
    await delay(pollMs);
  }
  throw startFailed(`it was not ready within ${within / 1000} seconds`);
}

function startFailed(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError('START_FAILED', `PostgreSQL did not start: ${reason}.`, {
    cause,
  });
}

/** Keeps one older log. @returns the length of the current one in bytes */
async function rotateLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MAX_LOG_BYTES) return size;
  await rename(file, `${file}.1`);
  return 0;
}

function lastLines(text: string): string {
  const lines = text.trim().split('\n').slice(-6).join('\n');
  return lines === '' ? 'nothing' : lines;
}
