import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { keepLogsSmall, rotateLog, withLog } from '../../apps/supervisor/src/log-file.js';
import { makeScratchFolder } from '../support/scratch-folder.js';

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let file: string;
let endings: (() => void)[];
beforeEach(async () => {
  scratch = await makeScratchFolder();
  file = join(scratch.path, 'hub.log');
  endings = [];
});
afterEach(async () => {
  endings.forEach((end) => end());
  await scratch.remove();
});

const sizeOf = async (path: string): Promise<number> => (await stat(path)).size;

describe('a log', () => {
  it('[processes] that has grown too large is moved aside, and who writes it goes on at its beginning', async () => {
    await writeFile(file, 'old words');
    const writer = await open(file, 'a');
    await rotateLog(file, 4);
    await writer.write('new');
    await writer.close();
    expect([await readFile(`${file}.1`, 'utf8'), await readFile(file, 'utf8')]).toEqual([
      'old words',
      'new',
    ]);
  });

  it('[processes] is cut where it can not be moved aside, such as on a disk that is full', async () => {
    await writeFile(file, 'old words');
    // A folder in the way of the copy refuses it as a full disk would.
    await mkdir(join(`${file}.1`, 'in the way'), { recursive: true });
    await rotateLog(file, 4);
    expect(await sizeOf(file)).toBe(0);
  });

  it('[processes] that can not be written keeps nobody from running', () => {
    expect(withLog(join(scratch.path, 'nowhere', 'hub.log'), (log) => log)).toBe('ignore');
  });

  it('[processes] is looked at from the start on, again and again', async () => {
    await writeFile(file, 'grown before');
    endings.push(keepLogsSmall([scratch.path, '/nowhere'], { everyMs: 5, largest: 4 }));
    while ((await sizeOf(file)) > 0) await nextTurn();
    await writeFile(file, 'grown again', { flag: 'a' });
    while ((await sizeOf(file)) > 0) await nextTurn();
    expect(await readFile(`${file}.1`, 'utf8')).toBe('grown again');
  });
});
