import { describe, expect, it } from '@jest/globals';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defaultHome } from './home-folder.js';
import { readSettings } from './settings.js';

describe('settings', () => {
  it('[bootstrap] need not be set at all', () => {
    const settings = readSettings({}, []);
    expect(settings).toMatchObject({ port: 7717, demo: false, signIn: false });
  });

  it('[quality] that are wrong are refused with their name and what is allowed', () => {
    expect(() => readSettings({ COXSWAIN_PORT: '70000' }, [])).toThrow(/^COXSWAIN_PORT: .*65535/);
    expect(() => readSettings({ COXSWAIN_DEMO: 'yes' }, [])).toThrow(/^COXSWAIN_DEMO: .*"0"\|"1"/);
  });

  it('[quality] an option that does not exist is refused with the one that does', () => {
    expect(() => readSettings({}, ['--signin'])).toThrow(
      'the options are --sign-in, --forget-passkeys',
    );
  });

  it('[quality] that are empty count as not set', () => {
    expect(readSettings({ COXSWAIN_PORT: '', COXSWAIN_HOME: '' }, []).port).toBe(7717);
  });
});

describe('the home', () => {
  it('[bootstrap] follows the convention of the platform', () => {
    expect(defaultHome({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/coxswain');
    expect(defaultHome({}, 'linux')).toBe(join(homedir(), '.local/share/coxswain'));
    expect(defaultHome({}, 'darwin')).toBe(join(homedir(), 'Library/Application Support/Coxswain'));
  });

  it('[bootstrap] ignores a relative XDG_DATA_HOME, as its specification says', () => {
    expect(defaultHome({ XDG_DATA_HOME: 'data' }, 'linux')).toBe(
      join(homedir(), '.local/share/coxswain'),
    );
  });
});
