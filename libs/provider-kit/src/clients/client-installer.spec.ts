import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DriverFailure, type ClientPackage, type ProcessRegistry } from '../driver.js';
import { groupRuns } from '../processes/process-identity.js';
import { ClientInstaller, clientEntry, type InstallProgress } from './client-installer.js';

// npm takes seconds to come up on a busy machine.
jest.setTimeout(60_000);

/** A package in a folder: npm installs it without any network. */
describe('installing a client', () => {
  let scratch: string;
  let root: string;
  beforeEach(async () => {
    scratch = await mkdtemp(path.join(tmpdir(), 'coxswain-clients-'));
    root = path.join(scratch, 'clients');
  });
  afterEach(() => rm(scratch, { recursive: true }));

  async function client(version: string, more: Partial<ClientPackage> = {}) {
    const folder = path.join(scratch, 'source');
    await mkdir(folder, { recursive: true });
    const manifest = {
      name: '@coxswain-test/client',
      version,
      type: 'module',
      exports: './index.js',
      scripts: { install: "node -e \"require('fs').writeFileSync('script-ran', '')\"" },
    };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'index.js'), `export const version = '${version}';\n`);
    return { name: manifest.name, version: '1.2.3', source: folder, ...more };
  }

  const names = async (folder: string) => (await readdir(folder)).sort();

  it('[P15] puts the tested version into a folder of its own, without running its scripts', async () => {
    const installer = new ClientInstaller(root);
    const folder = await installer.install(await client('1.2.3'));
    expect(folder).toBe(path.join(root, '@coxswain-test/client@1.2.3'));
    const entry = clientEntry(folder, '@coxswain-test/client');
    expect(await readFile(new URL(entry), 'utf8')).toContain("version = '1.2.3'");
    expect(await names(path.join(folder, 'node_modules/@coxswain-test/client'))).not.toContain(
      'script-ran',
    );
  });

  it('[P15] leaves nothing behind, and does nothing when it is there', async () => {
    const installer = new ClientInstaller(root);
    const wanted = await client('1.2.3');
    await installer.install(wanted);
    await rm(wanted.source, { recursive: true });
    await installer.install(wanted);
    expect(await names(root)).toEqual(['.locks', '@coxswain-test']);
    expect(await names(path.join(root, '@coxswain-test'))).toEqual(['client@1.2.3']);
  });

  it('[P15] says how far it is', async () => {
    const told: InstallProgress[] = [];
    await new ClientInstaller(root).install(await client('1.2.3'), (progress) =>
      told.push(progress),
    );
    expect([...new Set(told.map((progress) => progress.phase))]).toEqual([
      'waiting',
      'downloading',
      'verifying',
    ]);
    expect(told.at(-1)?.bytes).toBeGreaterThan(0);
  });

  it('[P15] of two that install the same at once, one does it', async () => {
    const wanted = await client('1.2.3');
    let verified = 0;
    const verify = () => {
      verified += 1;
      return Promise.resolve();
    };
    const installs = [1, 2].map(() => new ClientInstaller(root).install({ ...wanted, verify }));
    const [one, other] = await Promise.all(installs);
    expect(one).toBe(other);
    expect(verified).toBe(1);
  });

  it('[P15] takes over from an installer that was killed', async () => {
    const wanted = await client('1.2.3');
    const name = '%40coxswain-test%2Fclient%401.2.3';
    const lock = path.join(root, '.locks', `${name}.lock.7`);
    const half = path.join(root, `.installing-${name}-half/node_modules`);
    for (const folder of [path.dirname(lock), half]) await mkdir(folder, { recursive: true });
    // A process of this number runs, but it is another one since the machine was started again.
    await writeFile(lock, JSON.stringify({ pid: process.pid, start: 'before the reboot' }));
    expect(await new ClientInstaller(root).install(wanted)).toContain('client@1.2.3');
    expect(await names(root)).toEqual(['.locks', '@coxswain-test']);
  });

  it('[link.7] tells of npm as a process that can be found and stopped, and of its end', async () => {
    const told: unknown[] = [];
    const processes = {
      started: ({ pid, ...child }: Parameters<ProcessRegistry['started']>[0]) =>
        told.push({ ...child, mark: typeof child.mark, leads: groupRuns(pid) }),
      ended: () => told.push('ended'),
    };
    await new ClientInstaller(root, processes).install(await client('1.2.3'));
    expect(told).toEqual([{ group: true, what: 'npm', mark: 'string', leads: true }, 'ended']);
  });

  it('[P15] another version than the tested one is refused, and not kept', async () => {
    const installer = new ClientInstaller(root);
    const wanted = await client('9.9.9');
    await expect(installer.install(wanted)).rejects.toMatchObject({
      failure: { code: 'client-install' },
    });
    expect(await installer.isInstalled(wanted)).toBe(false);
  });

  it('[P15] what can’t run is refused, and not kept', async () => {
    const installer = new ClientInstaller(root);
    const failure = new DriverFailure({ code: 'client-missing', message: 'no' });
    const broken = await client('1.2.3', { verify: () => Promise.reject(failure) });
    await expect(installer.install(broken)).rejects.toBe(failure);
    expect(await installer.isInstalled(broken)).toBe(false);
  });

  it('[P15] says in npm’s own words why it could not', async () => {
    const gone = { name: 'x', version: '1.0.0', source: path.join(scratch, 'not-there') };
    await expect(new ClientInstaller(root).install(gone)).rejects.toMatchObject({
      failure: { code: 'client-install', message: expect.stringContaining('not-there') },
    });
  });
});
