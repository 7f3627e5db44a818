import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  challengeText,
  type Challenge,
  type Devices,
  type ErrorBody,
  type PairingLink,
} from '#contracts';
import { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let hub: TestHub;
let owner: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  owner = await hub.device('Owner');
}, 60_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

const code = (body: unknown): string => (body as ErrorBody).code;

async function pairingSecret(): Promise<string> {
  return ((await owner.post('/api/devices/pairing-links')).body as PairingLink).secret;
}

const audited = async (action: string, deviceId?: string): Promise<number> => {
  const { rows } = await database.owner.query(
    `select 1 from audit where action = $1 and ($2::text is null or body ->> 'deviceId' = $2)`,
    [action, deviceId],
  );
  return rows.length;
};

describe('signing in', () => {
  it('[S1] the first link is made only while there is no device', async () => {
    expect(await hub.hub.signInLink()).toBeUndefined();
  });

  it('[S1] a link signs one device in; the second is refused, and that is written down', async () => {
    const secret = await pairingSecret();
    const first = await new DeviceClient(hub.url, 'First').signIn(secret);
    const second = await new DeviceClient(hub.url, 'Thief').signIn(secret);
    expect([first.status, second.status, code(second.body)]).toEqual([200, 410, 'LINK_SPENT']);
    expect(await audited('sign-in-link-used-again')).toBe(1);
  });

  it('[S1] that a spent link was used again stands on every device until a person has seen it', async () => {
    const phone = await hub.device('Phone');
    await phone.connect();
    const secret = await pairingSecret();
    await new DeviceClient(hub.url, 'First').signIn(secret);
    await new DeviceClient(hub.url, 'Thief').signIn(secret);
    const told = await phone.hear('link-alarms', ({ alarms }) => alarms[0]?.name === 'Thief');
    const { linkAlarms } = await owner.connect();
    const seen = await phone.post('/api/devices/link-alarms/acknowledged');
    const ended = await owner.hear('link-alarms');
    const after = await phone.connect();
    expect(linkAlarms).toEqual(told.alarms);
    expect([seen.status, ended.alarms, after.linkAlarms]).toEqual([204, [], []]);
    phone.close();
    owner.close();
  });

  it('[S4] a link that was made is written down with who made it', async () => {
    await pairingSecret();
    const { rows } = await database.owner.query<{ actor: { name: string } }>(
      `select actor from audit where action = 'sign-in-link-made' order by at desc limit 1`,
    );
    expect(rows[0]?.actor.name).toBe('Owner');
  });

  it('[S1] a link whose use ended without a word lets the very same key in again', async () => {
    const secret = await pairingSecret();
    const device = new DeviceClient(hub.url, 'Interrupted');
    const first = await device.signIn(secret);
    const again = await device.signIn(secret);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  it('[S1] a link that was spent by a device which was revoked lets its key in no more', async () => {
    const secret = await pairingSecret();
    const device = new DeviceClient(hub.url, 'Revoked');
    await device.signIn(secret);
    await owner.call('DELETE', `/api/devices/${device.deviceId}`);
    expect(code((await device.signIn(secret)).body)).toBe('LINK_SPENT');
  });

  it('[S1] a link is not spent where the device could not be added', async () => {
    const secret = await pairingSecret();
    await database.owner.query('alter table device add constraint full_up check (false) not valid');
    const failed = await new DeviceClient(hub.url, 'Unlucky').signIn(secret);
    await database.owner.query('alter table device drop constraint full_up');
    const again = await new DeviceClient(hub.url, 'Lucky').signIn(secret);
    expect([failed.status, again.status]).toEqual([500, 200]);
  });

  it('[S1] of two who try one link at once, one gets in', async () => {
    const secret = await pairingSecret();
    const tries = ['A', 'B', 'C'].map((name) => new DeviceClient(hub.url, name).signIn(secret));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 410, 410]);
  });

  it('[S1] a link whose time is over is refused', async () => {
    const secret = await pairingSecret();
    await database.moveClock(16 * 60 * 1000);
    const late = await new DeviceClient(hub.url, 'Late').signIn(secret);
    await database.moveClock(0);
    expect([late.status, code(late.body)]).toEqual([410, 'LINK_EXPIRED']);
  });

  it('[S1] a signature over another origin signs nobody in, and the link stays good', async () => {
    const secret = await pairingSecret();
    const forged = new DeviceClient(hub.url, 'Forged', hub.url.replace('127.0.0.1', 'localhost'));
    const { name } = forged;
    const signed = forged.sign(
      ['coxswain sign-in 1', 'http://evil.example', secret, name].join('\n'),
    );
    const body = { secret, name, publicKey: publicKeyOf(forged), signature: signed };
    expect(code((await forged.post('/api/sign-in', body)).body)).toBe('BAD_SIGNATURE');
    expect((await forged.signIn(secret)).status).toBe(200);
  });

  it('[S1] a key that is no point of the curve is refused by its field', async () => {
    const device = new DeviceClient(hub.url, 'Odd');
    const publicKey = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) };
    const secret = await pairingSecret();
    const body = { secret, name: 'Odd', publicKey, signature: 'A'.repeat(86) };
    const answer = await device.post('/api/sign-in', body);
    expect([answer.status, (answer.body as ErrorBody).fields?.[0]?.field]).toEqual([
      400,
      'publicKey',
    ]);
  });

  it('[security] neither secret nor token is stored as it is', async () => {
    const secret = await pairingSecret();
    const { rows } = await database.owner.query<{ dump: string }>(
      'select string_agg(sign_in_link::text, $1) as dump from sign_in_link',
      ['\n'],
    );
    expect(rows[0]?.dump).not.toContain(secret);
  });
});

describe('proving a device', () => {
  it('[security] a challenge is good once', async () => {
    const { deviceId } = owner;
    const { challenge } = (await owner.post('/api/devices/challenge', { deviceId }))
      .body as Challenge;
    const signature = owner.sign(challengeText({ origin: hub.url, deviceId, challenge }));
    const first = await owner.post('/api/devices/token', { deviceId, challenge, signature });
    const again = await owner.post('/api/devices/token', { deviceId, challenge, signature });
    expect([first.status, again.status]).toEqual([200, 401]);
  });

  it("[security] a challenge signed with another device's key gives no token", async () => {
    const { deviceId } = owner;
    const other = await hub.device('Other');
    const { challenge } = (await owner.post('/api/devices/challenge', { deviceId }))
      .body as Challenge;
    const signature = other.sign(challengeText({ origin: hub.url, deviceId, challenge }));
    const answer = await other.post('/api/devices/token', { deviceId, challenge, signature });
    expect([answer.status, code(answer.body)]).toEqual([403, 'BAD_SIGNATURE']);
  });

  it('[security] a token holds through a restart of the hub, a forged one never', async () => {
    await hub.restart();
    expect((await owner.get('/api/devices')).status).toBe(200);
    const { token } = owner;
    owner.token = `${token.slice(0, -4)}AAAA`;
    expect((await owner.get('/api/devices')).status).toBe(401);
    owner.token = token;
  });
});

describe('the list of devices', () => {
  it('[D8] says which one asks, and takes a new name', async () => {
    const renamed = await owner.call('PATCH', `/api/devices/${owner.deviceId}`, '{"name":"Desk"}');
    expect(renamed.body).toMatchObject({ name: 'Desk', current: true });
    const { devices } = (await owner.get('/api/devices')).body as Devices;
    const current = devices.filter((device) => device.current);
    expect(current.map(({ name }) => name)).toEqual(['Desk']);
  });

  it('[S1] a revoked device loses its socket and its rights at once', async () => {
    const lost = await hub.device('Lost phone');
    await lost.connect();
    const revoked = await owner.call('DELETE', `/api/devices/${lost.deviceId}`);
    expect(revoked.status).toBe(204);
    expect(await lost.hear('signed-out')).toEqual({ reason: 'revoked' });
    expect((await lost.get('/api/inbox')).status).toBe(401);
    expect((await lost.renew()).status).toBe(401);
    await expect(lost.connect()).rejects.toThrow('UNAUTHENTICATED');
    expect(await audited('device-revoked', lost.deviceId)).toBe(1);
  });
});

const publicKeyOf = (device: DeviceClient): unknown => Reflect.get(device, 'publicKey');
