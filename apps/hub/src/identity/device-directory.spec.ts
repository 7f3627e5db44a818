import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { DeviceId, DevicePublicKey, PersonId } from '#contracts';
import type { DeviceRecord, DeviceStore } from '#domain';
import { DeviceDirectory } from './device-directory.js';

const id = DeviceId.parse('00000000-0000-4000-8000-000000000001');
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signedIn: DeviceRecord = {
  id,
  personId: PersonId.parse('00000000-0000-4000-8000-000000000002'),
  name: 'Phone',
  publicKey: DevicePublicKey.parse(publicKey.export({ format: 'jwk' })),
  createdAt: 0,
  lastSeenAt: 0,
};

describe('a device that is revoked', () => {
  it('[S1] is nobody at once, also for who was just being looked up', async () => {
    let resolve: (record: DeviceRecord) => void = () => undefined;
    const read = new Promise<DeviceRecord>((done) => (resolve = done));
    const reads = [read, Promise.resolve({ ...signedIn, revokedAt: 1 })];
    const store = { byId: () => reads.shift() ?? Promise.reject(new Error('read once too often')) };
    const directory = new DeviceDirectory(store as unknown as DeviceStore);

    const found = directory.find(id);
    directory.forget(id);
    resolve(signedIn);

    expect(await found).toBeUndefined();
  });
});
