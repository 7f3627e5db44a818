import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listFolders } from './list-folders.js';

describe('the folders of a machine', () => {
  let home: string;
  beforeAll(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'folders-')));
    await mkdir(path.join(home, 'work', 'inner'), { recursive: true });
  });
  afterAll(() => rm(home, { recursive: true }));

  it.each([
    ['~', ''],
    ['~/work', 'work'],
  ])('[D5] %s is read from the home of who runs the agents', async (asked, below) => {
    const reply = await listFolders(asked, home);
    expect(reply).toMatchObject({ ok: true, listing: { path: path.join(home, below) } });
  });

  it('[D5] another person’s home is not guessed', async () => {
    expect(await listFolders('~other/work', home)).toMatchObject({ ok: false, code: 'INVALID' });
  });
});
