import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { identifyProcess } from '#persistence';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeHomeFolders } from '../../../apps/supervisor/src/home-folder.js';
import { HomeInUseError, lockHome } from '../../../apps/supervisor/src/home-lock.js';
import { readOrMakeKey } from '../../../apps/supervisor/src/key-file.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
beforeEach(async () => {
  scratch = await makeScratchFolder();
});
afterEach(() => scratch.remove());

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the lock on a home', () => {
  it('[processes] refuses a second supervisor and names the first', async () => {
    const lock = await lockHome(scratch.path);
    const second = lockHome(scratch.path);
    await expect(second).rejects.toThrow(HomeInUseError);
    await expect(second).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
  });

  it('[processes] is free again once it is released', async () => {
    await (await lockHome(scratch.path)).release();
    const again = await lockHome(scratch.path);
    await again.release();
  });

  it('[processes] that a killed supervisor left behind is taken over, also when its process id is in use again', async () => {
    const file = join(scratch.path, 'supervisor.lock');
    await writeFile(file, JSON.stringify({ pid: process.pid, start: 'another boot/1' }));
    const lock = await lockHome(scratch.path);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(await identifyProcess(process.pid));
    await lock.release();
  });

  it('[processes] goes to one of many that start at the same time', async () => {
    await writeFile(join(scratch.path, 'supervisor.lock'), '{}');
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockHome(scratch.path)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('the folders of a home', () => {
  it('[security] are closed to other users, also where they were open before', async () => {
    const home = join(scratch.path, 'home');
    await mkdir(home, { mode: 0o755 });
    const folders = await makeHomeFolders(home);
    expect(await Promise.all(Object.values(folders).map(modeOf))).toEqual([
      '700',
      '700',
      '700',
      '700',
    ]);
  });
});

describe('a key file', () => {
  it('[security] is made once, for its owner only', async () => {
    const file = join(scratch.path, 'relay.key');
    const made = await readOrMakeKey(file);
    expect(await modeOf(file)).toBe('600');
    expect(await readOrMakeKey(file)).toEqual(made);
    expect(Buffer.from(made.publicKey, 'base64url')).toHaveLength(32);
  });

  it('[security] that holds something else is never replaced', async () => {
    const file = join(scratch.path, 'relay.key');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await expect(readOrMakeKey(file)).rejects.toThrow('holds no Ed25519 key');
  });
});
