import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type { Attached, LinkRefusal, Relay, RelayToken } from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';
import { makeRealLink } from '../support/relay/real-link.js';

jest.setTimeout(60_000);

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
});
beforeEach(async () => {
  await database.owner.query('update relay set token_hash = null, next_token_hash = null');
  hub.relay.token = undefined;
  hub.relay.keepsToken = true;
  hub.relay.instance = randomUUID();
});
afterEach(() => leave());
afterAll(async () => {
  await hub.close();
  await database.remove();
});

/** Ends the relay's connection; resolves when the hub knows. */
async function leave(): Promise<void> {
  hub.relay.close();
  for (;;) {
    const { body } = await phone.get('/api/relays');
    if (!(body as { relays: Relay[] }).relays.some(({ attached }) => attached)) return;
  }
}

/** One attach of a process of its own that shows this token, and is gone again. */
async function comesWith(token: RelayToken | undefined): Promise<Attached | LinkRefusal> {
  hub.relay.token = token;
  hub.relay.instance = randomUUID();
  const answer = await hub.relay.tryToAttach(hub.url);
  await leave();
  return answer;
}

/** An attach whose new token was kept and confirmed. */
async function attached(): Promise<{ shown: RelayToken | undefined; next: RelayToken }> {
  const shown = hub.relay.token;
  const { nextToken } = await hub.relay.attach(hub.url);
  if (nextToken === undefined) throw new Error('no token was given');
  await confirmed();
  await leave();
  return { shown, next: nextToken };
}

async function confirmed(): Promise<void> {
  for (;;) {
    const { rows } = await database.owner.query(
      'select from relay where next_token_hash is null and token_hash is not null',
    );
    if (rows.length > 0) return;
  }
}

const REFUSED = { code: 'RELAY_DUPLICATE' };
const TAKEN = { nextToken: expect.any(String) };

describe('the token of a relay', () => {
  it('[link.7] is new at each attach', async () => {
    const first = await attached();
    const second = await attached();
    expect([first.shown, second.shown]).toEqual([undefined, first.next]);
    expect(second.next).not.toBe(first.next);
  });

  it('[link.7] that was the last one is good until the new one is confirmed', async () => {
    const { next } = await attached();
    await comesWith(next);
    expect(await comesWith(next)).toMatchObject(TAKEN);
  });

  it('[link.7] that is new is good, though its confirmation was lost', async () => {
    const { next } = await attached();
    const answer = await comesWith(next);
    const unconfirmed = 'nextToken' in answer ? answer.nextToken : undefined;
    expect(await comesWith(unconfirmed)).toMatchObject(TAKEN);
    expect(await comesWith(next)).toMatchObject(REFUSED);
  });

  it('[link.7] that was followed by a confirmed one is good for nothing', async () => {
    const { next } = await attached();
    await attached();
    expect(await comesWith(next)).toMatchObject(REFUSED);
  });

  it('[link.7] can not be left out, nor made up', async () => {
    const { next } = await attached();
    const madeUp = next.replace(/^\d+/, '900') as RelayToken;
    expect([await comesWith(undefined), await comesWith(madeUp)]).toMatchObject([REFUSED, REFUSED]);
  });

  it('[link.7] is not asked of a relay that never had one, such as from before an update', async () => {
    expect(await comesWith(undefined)).toMatchObject(TAKEN);
  });

  it('[link.7] survives a restart of the hub', async () => {
    const { next } = await attached();
    await hub.restart();
    expect([await comesWith(undefined), await comesWith(next)]).toMatchObject([REFUSED, TAKEN]);
  });

  it('[security] is in the database as a hash only', async () => {
    const { next } = await attached();
    const { rows } = await database.owner.query('select to_jsonb(relay) as row from relay');
    const [, random = '?'] = next.split('.');
    expect(JSON.stringify(rows)).not.toContain(random);
  });
});

describe('another holder of a key', () => {
  it('[link.7] is told what to do', async () => {
    await attached();
    const answer = await comesWith(undefined);
    expect(answer).toMatchObject({ message: expect.stringContaining('Stop the other relay') });
  });

  it('[link.7] is written down and told to every device, once', async () => {
    await attached();
    await phone.connect();
    hub.relay.token = undefined;
    const told = phone.hear('relay', ({ relay }) => relay.contestedAt !== undefined);
    await hub.relay.tryToAttach(hub.url);
    await hub.relay.tryToAttach(hub.url);
    const { relay } = await told;
    const { rows } = await database.owner.query(
      `select count(*)::int as times from audit
       where action = 'relay-key-contested' and body ->> 'instance' = $1`,
      [hub.relay.instance],
    );
    phone.close();
    expect([relay.id, rows]).toEqual([hub.relay.id, [{ times: 1 }]]);
  });

  it('[link.7] is let in after a person said so, which is written down', async () => {
    await attached();
    await comesWith(undefined);
    const answer = await phone.post(`/api/relays/${hub.relay.id}/reset`);
    const { rows } = await database.owner.query(
      `select actor ->> 'name' as who from audit where action = 'relay-reset' order by id desc limit 1`,
    );
    expect((answer.body as Relay).contestedAt).toBeUndefined();
    expect(rows).toEqual([{ who: 'Phone' }]);
    expect(await comesWith(undefined)).toMatchObject(TAKEN);
  });

  it('[link.7] takes the place of the one that is there, once a person said so', async () => {
    await hub.relay.attach(hub.url);
    await confirmed();
    const gone = new Promise((resolve) => hub.relay.socket?.once('disconnect', resolve));
    await phone.post(`/api/relays/${hub.relay.id}/reset`);
    await gone;
    expect(await comesWith(undefined)).toMatchObject(TAKEN);
  });

  it('[S4] is not let in where its reset could not be written down', async () => {
    await attached();
    const { owner } = database;
    const hashes = 'select token_hash, next_token_hash from relay';
    const before = await owner.query(hashes);
    await owner.query(
      `alter table audit add constraint refused check (action <> 'relay-reset') not valid`,
    );
    try {
      const answer = await phone.post(`/api/relays/${hub.relay.id}/reset`);
      const after = await owner.query(hashes);
      expect([answer.status, after.rows]).toEqual([500, before.rows]);
    } finally {
      await owner.query('alter table audit drop constraint refused');
    }
  });

  it('[S2] no relay is begun anew that is not there', async () => {
    const answer = await phone.post(`/api/relays/${randomUUID()}/reset`);
    expect(answer.status).toBe(404);
  });
});

describe('a real relay', () => {
  it('[link.7] keeps its new token before it confirms it, and is known by it in its next life', async () => {
    const own = await openTestDatabase();
    const link = await makeRealLink(own.addresses.app);
    try {
      const tokenOnDisk = async (): Promise<string> =>
        (await readFile(path.join(link.home, 'attachment.json'), 'utf8')).trim();
      const confirmedTimes = async (issued: number): Promise<void> => {
        for (;;) {
          const { rows } = await own.owner.query(
            'select from relay where tokens_issued = $1 and next_token_hash is null',
            [issued],
          );
          if (rows.length > 0) return;
        }
      };
      await link.startRelay();
      await confirmedTimes(1);
      const first = await tokenOnDisk();
      await link.stopRelay();
      await link.startRelay();
      await confirmedTimes(2);
      expect(await tokenOnDisk()).not.toBe(first);
      await link.stopRelay();

      await rm(path.join(link.home, 'attachment.json'));
      await link.startRelay();
      const refusals = async (): Promise<number> => {
        const { rows } = await own.owner.query(
          `select count(*)::int as n from audit where action = 'relay-key-contested'`,
        );
        return rows[0].n;
      };
      while ((await refusals()) === 0);
      expect(await refusals()).toBe(1);
    } finally {
      await link.close();
      await own.remove();
    }
  });
});
