import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DriverFailure, type ClientPackage, type ProcessRegistry } from '../driver.js';
import { withInstallLock } from './install-lock.js';
import { runNpm } from './run-npm.js';

export interface InstallProgress {
  /** `waiting`: another process installs the same. */
  phase: 'waiting' | 'downloading' | 'verifying';
  /** What lies in the folder so far. */
  bytes: number;
  elapsedMs: number;
}

const MEASURE_EVERY_MS = 1_000;

/**
 * Installs client packages from npm, each at the version that its driver was tested with, into
 * `<root>/<name>@<version>`. A folder of that name is always whole: it is made elsewhere and renamed.
 */
export class ClientInstaller {
  /** @param processes is told of npm, so that a killed relay's is found */
  constructor(
    private readonly root: string,
    private readonly processes?: ProcessRegistry,
  ) {}

  /** Where the client is, or will be. */
  folderOf(client: ClientPackage): string {
    return join(this.root, `${client.name}@${client.version}`);
  }

  async isInstalled(client: ClientPackage): Promise<boolean> {
    return (await versionIn(this.folderOf(client), client.name)) === client.version;
  }

  /**
   * Installs the client unless it is there already, and gives back its folder.
   * Rejects with a {@link DriverFailure} that says what npm said.
   */
  async install(
    client: ClientPackage,
    tell: (progress: InstallProgress) => void = () => undefined,
  ): Promise<string> {
    const folder = this.folderOf(client);
    if (await this.isInstalled(client)) return folder;
    const begun = Date.now();
    const say = (phase: InstallProgress['phase'], bytes = 0): void =>
      tell({ phase, bytes, elapsedMs: Date.now() - begun });
    say('waiting');
    const lock = { folder: join(this.root, '.locks'), name: nameOf(client) };
    await withInstallLock(lock, async () => {
      if (await this.isInstalled(client)) return;
      await this.#installAnew(client, say);
    });
    return folder;
  }

  async #installAnew(client: ClientPackage, say: Say): Promise<void> {
    const folder = this.folderOf(client);
    const start = `.installing-${nameOf(client)}-`;
    await this.#removeLeftOvers(start);
    const making = join(this.root, `${start}${randomUUID()}`);
    try {
      await mkdir(making, { recursive: true, mode: 0o700 });
      await writeFile(join(making, 'package.json'), JSON.stringify({ private: true }));
      await measured(making, say, () => runNpm(client, making, this.processes));
      say('verifying', await sizeOf(making));
      await verify(client, making);
      await rm(folder, { recursive: true, force: true });
      await mkdir(dirname(folder), { recursive: true });
      await rename(making, folder);
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }

  /** Under the lock nobody else installs this client: what looks like it was left by one that was killed. */
  async #removeLeftOvers(start: string): Promise<void> {
    const left = (await readdir(this.root)).filter((name) => name.startsWith(start));
    for (const name of left) await rm(join(this.root, name), { recursive: true, force: true });
  }
}

const nameOf = (client: ClientPackage): string =>
  encodeURIComponent(`${client.name}@${client.version}`);

type Say = (phase: InstallProgress['phase'], bytes?: number) => void;

async function verify(client: ClientPackage, folder: string): Promise<void> {
  const found = await versionIn(folder, client.name);
  if (found !== client.version) {
    throw new DriverFailure({
      code: 'client-install',
      message: `npm installed ${client.name} ${found ?? 'not at all'} where ${client.version} was asked for.`,
    });
  }
  await client.verify?.(folder);
}

async function measured(folder: string, say: Say, work: () => Promise<void>): Promise<void> {
  say('downloading');
  const timer = setInterval(() => {
    sizeOf(folder).then(
      (bytes) => say('downloading', bytes),
      () => undefined, // npm moves files about while it works; the next look succeeds
    );
  }, MEASURE_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sizeOf(path);
    return entry.isFile() ? (await stat(path)).size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function versionIn(folder: string, name: string): Promise<string | undefined> {
  try {
    const file = await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8');
    const { version } = JSON.parse(file) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The address to `import()` a client by, from the folder that it was installed into. */
export function clientEntry(clientFolder: string, name: string): string {
  return pathToFileURL(createRequire(join(clientFolder, 'package.json')).resolve(name)).href;
}
