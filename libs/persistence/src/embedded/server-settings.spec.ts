import { describe, expect, it } from '@jest/globals';
import { serverArguments } from './server-settings.js';

const settings = { dataFolder: '/d', socketFolder: '/s', major: 18, durable: true };

describe('how the server is started', () => {
  it('[stack] it waits for the disk and listens on no port', () => {
    const given = serverArguments(settings);
    expect(given).toEqual(expect.arrayContaining(['synchronous_commit=on', 'listen_addresses=']));
    expect(given).not.toContain('fsync=off');
  });
  it('[stack] an older server is not given settings that it does not know', () => {
    expect(serverArguments({ ...settings, major: 15 })).not.toContain('io_method=sync');
  });
});
