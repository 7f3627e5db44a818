import { chown, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { createPasswords, EMBEDDED_ROLES, writePrivateFile } from './passwords.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import type { PostgresFolders } from './postgres-folders.js';
import { spawnAs, type RunAs } from './run-as.js';
import { initdbArguments, serverEnvironment } from './server-settings.js';

/**
 * Makes the data folder (`initdb`, a second or so). It is made under another name and moved in place when it is whole,
 * so that a start that was killed leaves nothing half made.
 *
 * @throws EmbeddedPostgresError INITDB_FAILED with the last words of initdb
 */
export async function makeCluster(options: {
  readonly folders: PostgresFolders;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly durable: boolean;
}): Promise<void> {
  const { folders, binaries, runAs, durable } = options;
  const passwords = await createPasswords(folders.base, folders.homeOwner);
  const unfinished = `${folders.data}.unfinished`;
  const passwordFile = `${folders.data}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (runAs.kind === 'user') await chown(unfinished, runAs.uid, runAs.gid);
  await writePrivateFile(passwordFile, `${passwords.admin}\n`, folders.owner);
  try {
    const superuser = EMBEDDED_ROLES.admin;
    const { major } = binaries;
    const args = initdbArguments({
      dataFolder: unfinished,
      passwordFile,
      superuser,
      major,
      durable,
    });
    await runInitdb(runAs, [binaries.initdb, ...args]);
    await moveInPlace(unfinished, folders.data);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(runAs: RunAs, command: readonly [string, ...string[]]): Promise<void> {
  const child = spawnAs(runAs, command, {
    env: serverEnvironment(),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const listen = (chunk: Buffer): void => {
    said = `${said}${chunk.toString()}`.slice(-4_000);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return;
  throw new EmbeddedPostgresError(
    'INITDB_FAILED',
    `PostgreSQL could not make its database folder (initdb ended with ${code}): ${lastLines(said)}`,
  );
}

async function moveInPlace(unfinished: string, data: string): Promise<void> {
  // An empty folder may stand there already; one that another start has just made must not be replaced.
  await rename(unfinished, data).catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'INITDB_FAILED',
      `The new database folder could not be moved to ${data}; did another start make one at the same time? ` +
        `Look at ${path.dirname(data)} and start again.`,
      { cause },
    );
  });
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-6).join('\n');
}
