import { describe, expect, it } from '@jest/globals';
import { type RelayId } from '#contracts';
import { HubRefusal, HubUnreachable } from '../api/hub-refusal.js';
import { folderOnRelay } from './folder-on-relay.js';

const RELAY = { id: 'relay' as RelayId };
const lists = (path: string) => ({ folders: () => Promise.resolve({ path, folders: [] }) });
const fails = (error: Error) => ({ folders: () => Promise.reject(error) });

describe('the folder of a new conversation', () => {
  it('[D5] stays as it was typed, also where it is a link to another', async () => {
    expect(await folderOnRelay(lists('/disk/work'), RELAY, '/work')).toEqual({ folder: '/work' });
  });

  it('[D5] that begins with a tilde is the one that the machine means by it', async () => {
    expect(await folderOnRelay(lists('/home/me/x'), RELAY, '~/x')).toEqual({
      folder: '/home/me/x',
    });
  });

  it('[D5] that is not there is refused before anything begins', async () => {
    const refusal = new HubRefusal({ code: 'INVALID', message: 'There is no such folder.' });
    expect(await folderOnRelay(fails(refusal), RELAY, '/nope')).toEqual({ refusal });
  });

  it('[D5] stops no start where its machine can’t be asked', async () => {
    const error = new HubUnreachable(new Error('cut'));
    expect(await folderOnRelay(fails(error), RELAY, '/work')).toEqual({ folder: '/work' });
  });
});
