import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ConversationId } from '#contracts';
import { identifyProcess, isStillRunning, newChildMark } from '#provider-kit';
import { makeScratchFolder, type ScratchFolder } from '../../../../test/support/scratch-folder.js';
import { ChildRegistry } from './child-registry.js';
import { FolderTaken, takeFolder } from './folder-lock.js';
import { stopLeftBehind } from './left-behind.js';

let scratch: ScratchFolder;
let file: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  scratch = await makeScratchFolder();
  file = path.join(scratch.path, 'children.json');
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await scratch.remove();
});

/** A process that leads a group, with a child of its own where `program` starts one. */
async function aGroup(
  program = 'setInterval(() => 0, 1000)',
  more: Record<string, string> = {},
): Promise<number> {
  const script = `${program}; console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return child.pid ?? 0;
}

const written = (): unknown[] => JSON.parse(readFileSync(file, 'utf8')) as unknown[];

describe('children', () => {
  it('[link.7] are written down with the time of their start before anything else happens', async () => {
    const registry = new ChildRegistry(file);
    const pid = await aGroup();
    registry.started({ pid, group: true, what: 'a client' });
    expect(written()).toEqual([{ ...identifyProcess(pid), group: true, what: 'a client' }]);
    registry.ended(pid);
    expect(written()).toEqual([]);
  });

  it('[link.7] that a killed relay left behind are stopped with their whole group', async () => {
    const inner = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], {stdio: 'ignore'})`;
    const pid = await aGroup(
      `const inner = ${inner}; require('fs').writeFileSync('${scratch.path}/inner', String(inner.pid)); setInterval(() => 0, 1000)`,
    );
    new ChildRegistry(file).started({ pid, group: true, what: 'a client' });
    const innerPid = Number(await readFile(path.join(scratch.path, 'inner'), 'utf8'));
    expect(identifyProcess(innerPid)).toBeDefined();
    expect(await stopLeftBehind(file)).toHaveLength(1);
    expect(identifyProcess(pid)).toBeUndefined();
    expect(identifyProcess(innerPid)).toBeUndefined();
  });

  it.each([
    ['from a client that runs', false],
    ['from a client that was killed too', true],
  ])(
    '[link.7] that a killed relay left behind take along what they started in other groups, %s',
    async (_, killed) => {
      const { mark, environment } = newChildMark();
      const options = `{stdio: 'ignore', detached: true}`;
      const inner = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], ${options})`;
      const pid = await aGroup(
        `const inner = ${inner}; inner.unref(); require('fs').writeFileSync('${scratch.path}/inner', String(inner.pid)); setInterval(() => 0, 1000)`,
        environment,
      );
      new ChildRegistry(file).started({ pid, group: true, what: 'a client', mark });
      const innerPid = Number(await readFile(path.join(scratch.path, 'inner'), 'utf8'));
      const [client] = children;
      if (killed && client?.kill('SIGKILL') === true) await once(client, 'exit');
      const left = ChildRegistry.leftBehind(file);
      await stopLeftBehind(file);
      expect([left[0]?.mark, identifyProcess(innerPid)]).toEqual([mark, undefined]);
    },
  );

  it('[link.7] that do not end when they are asked to are killed', async () => {
    const pid = await aGroup(`process.on('SIGTERM', () => 0); setInterval(() => 0, 1000)`);
    new ChildRegistry(file).started({ pid, group: true, what: 'a client' });
    await stopLeftBehind(file);
    expect(identifyProcess(pid)).toBeUndefined();
  }, 15_000);

  it('[link.7] are left alone where another process has their id by now', async () => {
    const pid = await aGroup();
    const other = { pid, start: 'long ago', group: true, what: 'a client' };
    await writeFile(file, JSON.stringify([other]));
    await stopLeftBehind(file);
    expect(identifyProcess(pid)).toBeDefined();
  });

  it('[link.7] of one conversation are stopped without those of another', async () => {
    const registry = new ChildRegistry(file);
    const [mine, other] = [await aGroup(), await aGroup()];
    const id = ConversationId.parse('00000000-0000-4000-8000-000000000001');
    await registry.within(id, async () => {
      await Promise.resolve();
      registry.started({ pid: mine, group: true, what: 'a client' });
    });
    registry.started({ pid: other, group: true, what: 'a client' });
    await registry.stopAllOf(id);
    expect([identifyProcess(mine), identifyProcess(other)?.pid]).toEqual([undefined, other]);
  });

  it('[quality] are known and stopped though their list can not be written, which is tried again', async () => {
    const troubles: unknown[] = [];
    let writes = 0;
    let listed = (): void => undefined;
    const again = new Promise<void>((resolve) => (listed = resolve));
    const registry = new ChildRegistry(file, {
      trouble: (error) => troubles.push(error),
      retryWriteMs: 1,
      write: (_, text) => {
        writes += 1;
        if (writes <= 2) throw new Error('ENOSPC: no space left on device');
        writeFileSync(file, text);
        listed();
      },
    });
    const pid = await aGroup();
    const id = ConversationId.parse('00000000-0000-4000-8000-000000000001');
    await registry.within(id, async () => {
      await Promise.resolve();
      registry.started({ pid, group: true, what: 'a client' });
    });
    expect(troubles).toHaveLength(1);
    await again;
    expect(written()).toMatchObject([{ pid }]);
    await registry.stopAllOf(id);
    expect([identifyProcess(pid), written()]).toEqual([undefined, []]);
  });

  it('[link.7] are none where their list is damaged', async () => {
    await writeFile(file, '[{"pid": ');
    expect(await stopLeftBehind(file)).toEqual([]);
  });
});

describe("a relay's folder", () => {
  const lockFile = (): string => path.join(scratch.path, 'relay.lock.7');

  it('[link.7] is refused to a second relay while the first one runs, with words that help', async () => {
    const lock = await takeFolder(scratch.path);
    const second = takeFolder(scratch.path);
    await expect(second).rejects.toThrow(FolderTaken);
    await expect(second).rejects.toThrow(`(process ${process.pid}) already uses ${scratch.path}`);
    await lock.release();
    await (await takeFolder(scratch.path)).release();
  });

  it('[link.7] is taken over from a relay that is gone', async () => {
    const gone = { pid: process.pid, start: 'long ago' };
    await writeFile(lockFile(), JSON.stringify(gone));
    const lock = await takeFolder(scratch.path);
    const holder = JSON.parse(
      await readFile(path.join(scratch.path, 'relay.lock.8'), 'utf8'),
    ) as Parameters<typeof isStillRunning>[0];
    expect(isStillRunning(holder)).toBe(true);
    await lock.release();
  });

  it('[link.7] is taken by one of many that find a stale lock at once', async () => {
    await writeFile(lockFile(), 'torn');
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => takeFolder(scratch.path)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
