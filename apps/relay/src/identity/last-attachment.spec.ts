import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RelayToken } from '#contracts';
import { FaultyDisk } from '../../../../test/support/relay/faulty-disk.js';
import { makeScratchFolder, type ScratchFolder } from '../../../../test/support/scratch-folder.js';
import { LastAttachment } from './last-attachment.js';

let scratch: ScratchFolder;
beforeEach(async () => {
  scratch = await makeScratchFolder();
});
afterEach(() => scratch.remove());

const token = (n: number): RelayToken =>
  RelayToken.parse(`${n}.${'r'.repeat(22)}.${'s'.repeat(86)}`);

describe('what a relay keeps of its last attach', () => {
  it('[link.7] is there in its next life', async () => {
    await new LastAttachment(scratch.path).keep({ token: token(1) });
    expect(await new LastAttachment(scratch.path).read()).toEqual({ token: token(1) });
  });
  it('[link.7] is read after what is being written, so that an attach never shows an older token', async () => {
    const last = new LastAttachment(scratch.path);
    await last.keep({ token: token(1) });
    void last.keep({ token: token(2) });
    expect(await last.read()).toEqual({ token: token(2) });
  });
  it('[link.7] is the one before where the next could not be written', async () => {
    const disk = new FaultyDisk();
    const last = new LastAttachment(scratch.path, disk);
    await last.keep({ token: token(1) });
    disk.faults = [{ call: 'append', code: 'ENOSPC', partly: 9 }];
    await expect(last.keep({ token: token(2) })).rejects.toThrow();
    expect(await last.read()).toEqual({ token: token(1) });
  });
  it('[link.7] is nothing where the file is no record', async () => {
    await writeFile(path.join(scratch.path, 'attachment.json'), '{"token": "guessed"');
    expect(await new LastAttachment(scratch.path).read()).toEqual({});
  });
  it('[security] is for the eyes of its user alone', async () => {
    await new LastAttachment(scratch.path).keep({ token: token(1) });
    const [file = ''] = await readdir(scratch.path);
    expect((await stat(path.join(scratch.path, file))).mode & 0o777).toBe(0o600);
  });
});
