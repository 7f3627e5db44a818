import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { HubConfig } from '#contracts';
import { hubProgram, relayProgram, type Family } from './children.js';

const key = { file: '/home/me/coxswain/a.key', publicKey: 'key' };
const family: Family = {
  certificate: undefined,
  settings: {
    home: '/home/me/coxswain',
    port: 7717,
    demo: false,
    relayName: 'here',
    reach: undefined,
    signIn: true,
    forgetPasskeys: false,
  },
  folders: {
    home: '/home/me/coxswain',
    hub: '/home/me/coxswain/hub',
    relay: '/home/me/coxswain/relay',
    logs: '/home/me/coxswain/logs',
  },
  hubKey: key,
  relayKey: key,
  built: '/built',
};
const database = Promise.resolve({ url: 'postgres://db/coxswain' });
let before: NodeJS.ProcessEnv;

beforeEach(() => {
  before = { ...process.env };
});
afterEach(() => {
  process.env = before;
});

describe('the environment of hub and relay', () => {
  it('[S3] what PostgreSQL is reached by is for the hub, and nothing that starts agents sees it', () => {
    Object.assign(process.env, { PGPASSWORD: 'secret', PGSSLROOTCERT: '/ca.pem' });
    expect(hubProgram(family, database).env).toMatchObject({
      PGPASSWORD: 'secret',
      PGSSLROOTCERT: '/ca.pem',
    });
    const seen = Object.keys(relayProgram(family).env).filter((name) => name.startsWith('PG'));
    expect(seen).toEqual([]);
  });
});

describe('a sign-in link that was asked for at the start', () => {
  it('[S1] is asked of each hub until one has given it', async () => {
    const hub = hubProgram(family, database);
    const asked = async () => ((await hub.configure()) as HubConfig).signInLink;
    const first = await asked();
    const second = await asked();
    hub.heard?.({ kind: 'sign-in-link', url: 'http://127.0.0.1:7717/#/sign-in/x', expiresIn: 1 });
    expect([first, second, await asked()]).toEqual(['now', 'now', 'without-device']);
  });
});
