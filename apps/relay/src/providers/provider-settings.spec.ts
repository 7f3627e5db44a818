import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultyDisk } from '../../../../test/support/relay/faulty-disk.js';
import { PuppetDriver } from '../../../../test/support/relay/puppet-driver.js';
import { makeScratchFolder, type ScratchFolder } from '../../../../test/support/scratch-folder.js';
import { ProviderSettings } from './provider-settings.js';

let scratch: ScratchFolder;
let settings: ProviderSettings;
beforeEach(async () => {
  scratch = await makeScratchFolder();
  settings = new ProviderSettings(path.join(scratch.path, 'puppet'), new PuppetDriver().descriptor);
});
afterEach(() => scratch.remove());

const file = (): string => path.join(scratch.path, 'puppet', 'settings.json');

describe("a provider's settings", () => {
  it('[security] are in a file that nobody else can read', async () => {
    await settings.change({ apiKey: 'sesame' });
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file()))).mode & 0o777).toBe(0o700);
  });

  it('[relay] are kept, and an empty text removes one', async () => {
    await settings.change({ apiKey: 'sesame', baseUrl: 'http://127.0.0.1:1' });
    await settings.change({ apiKey: '' });
    expect(await settings.read()).toEqual({ baseUrl: 'http://127.0.0.1:1' });
  });

  it('[security] are refused without their value in the words', async () => {
    const change = settings.change({ baseUrl: 'my secret key' });
    await expect(change).rejects.toThrow(
      'values.baseUrl: must be an address such as https://api.example.com.',
    );
    await expect(readFile(file())).rejects.toThrow('ENOENT');
  });

  it('[quality] are none where their file is damaged', async () => {
    await settings.change({ apiKey: 'sesame' });
    await writeFile(file(), '{"apiKey": 7');
    expect(await settings.read()).toEqual({});
  });

  it('[quality] take two changes at once, one after the other', async () => {
    await Promise.all([
      settings.change({ apiKey: 'sesame' }),
      settings.change({ baseUrl: 'http://127.0.0.1:1' }),
    ]);
    expect(await settings.read()).toEqual({ apiKey: 'sesame', baseUrl: 'http://127.0.0.1:1' });
    expect(await readdir(path.dirname(file()))).toEqual(['settings.json']);
  });

  it('[quality] are not written over where they can not be read', async () => {
    const disk = new FaultyDisk();
    const { descriptor } = new PuppetDriver();
    const failing = new ProviderSettings(path.dirname(file()), descriptor, disk);
    await settings.change({ apiKey: 'sesame' });
    disk.faults = [{ call: 'read', code: 'EIO', times: 1 }];
    await expect(failing.change({ baseUrl: 'http://127.0.0.1:1' })).rejects.toThrow('EIO');
    expect(await settings.read()).toEqual({ apiKey: 'sesame' });
  });
});
