import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyDisk } from '../../../../test/support/relay/faulty-disk.js';
import { makeScratchFolder, type ScratchFolder } from '../../../../test/support/scratch-folder.js';
import { PinnedHub } from './pinned-hub.js';
import { RelayKey } from './relay-key.js';

let scratch: ScratchFolder;
let disk: FaultyDisk;
beforeEach(async () => {
  scratch = await makeScratchFolder();
  disk = new FaultyDisk();
});
afterEach(() => scratch.remove());

const pin = (): string => path.join(scratch.path, 'hub-key');
const keyFile = (): string => path.join(scratch.path, 'relay.pem');
const aPin = (): PinnedHub => new PinnedHub(scratch.path, undefined, disk);

/** What was done to bring a file into its place, whatever it was called before that. */
const steps = (): string[] => disk.calls.map((call) => call.replace(/\.[0-9a-f-]{36}\.new/, ''));

describe('the hub that a relay belongs to', () => {
  it('[link.8] is the first one that it met', async () => {
    expect(await aPin().check('one')).toEqual({ ok: true, first: true });
    expect(await aPin().check('one')).toEqual({ ok: true, first: false });
    expect(await aPin().check('two')).toMatchObject({ ok: false });
  });

  it('[link.8] is nobody where its key can not be read, and the key stays as it is', async () => {
    await aPin().check('one');
    disk.faults = [{ call: 'read', code: 'EACCES', times: 1 }];
    expect(await aPin().check('two')).toMatchObject({
      ok: false,
      message: expect.stringContaining(`${pin()} can't be used (EACCES)`),
    });
    expect(await readFile(pin(), 'utf8')).toBe('one\n');
  });

  it('[link.8] is nobody where its key can not be written down', async () => {
    disk.faults = [{ call: 'append', code: 'ENOSPC', partly: 2, times: 1 }];
    expect(await aPin().check('one')).toMatchObject({ ok: false });
    expect(await readdir(scratch.path)).toEqual([]);
    expect(await aPin().check('one')).toEqual({ ok: true, first: true });
  });

  it('[link.8] is known on the disk before it is obeyed', async () => {
    await aPin().check('one');
    const place = path.basename(scratch.path);
    const done = ['append hub-key', 'datasync hub-key', 'rename hub-key', `syncFolder ${place}`];
    expect(steps()).toEqual(done);
  });

  it('[link.8] is nobody where an empty file stands for its key', async () => {
    await writeFile(pin(), '');
    expect(await aPin().check('one')).toMatchObject({ ok: false });
  });
});

describe("a relay's key", () => {
  it('[link.8] is on the disk, whole and for its owner alone, before it is used', async () => {
    const key = await RelayKey.load(keyFile(), disk);
    const place = path.basename(scratch.path);
    expect(steps()).toEqual([
      'append relay.pem',
      'datasync relay.pem',
      'rename relay.pem',
      `syncFolder ${place}`,
    ]);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect((await RelayKey.load(keyFile())).publicKey).toBe(key.publicKey);
  });

  it('[link.8] is not replaced where it can not be read', async () => {
    const { publicKey } = await RelayKey.load(keyFile());
    disk.faults = [{ call: 'read', code: 'EIO', times: 1 }];
    await expect(RelayKey.load(keyFile(), disk)).rejects.toThrow("can't be used");
    expect((await RelayKey.load(keyFile(), disk)).publicKey).toBe(publicKey);
  });

  it('[link.8] leaves nothing half made on a full disk', async () => {
    disk.faults = [{ call: 'datasync', code: 'ENOSPC', times: 1 }];
    await expect(RelayKey.load(keyFile(), disk)).rejects.toThrow('ENOSPC');
    expect(await readdir(scratch.path)).toEqual([]);
  });
});
