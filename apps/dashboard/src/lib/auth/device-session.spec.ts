import { beforeEach, describe, expect, it } from '@jest/globals';
import { challengeText, CardId, decisionText, signInText } from '#contracts';
import { DeviceSession } from './device-session.js';
import { deviceNameFrom } from './device-name.js';
import { type KnownDevice } from './device-key.js';
import { type DeviceStore } from './device-store.js';

const ORIGIN = 'http://127.0.0.1:7717';
const DEVICE_ID = '00000000-0000-4000-8000-000000000001';
const SECRET = 'a'.repeat(43);

interface Call {
  readonly path: string;
  readonly body: { readonly [key: string]: unknown };
}

let calls: Call[];
let now: number;
let kept: KnownDevice | undefined;
let answers: { [path: string]: unknown };

const store: DeviceStore = {
  load: () => Promise.resolve(kept),
  save: (device) => {
    kept = device;
    return Promise.resolve();
  },
  forget: () => {
    kept = undefined;
    return Promise.resolve();
  },
};
const makeSession = (): DeviceSession =>
  new DeviceSession({
    origin: ORIGIN,
    store,
    now: () => now,
    fetch: (path, init) => {
      calls.push({ path, body: JSON.parse(String(init.body)) as Call['body'] });
      return Promise.resolve(new Response(JSON.stringify(answers[path]), { status: 200 }));
    },
  });

async function isSigned(text: string, signature: unknown): Promise<boolean> {
  if (kept === undefined) return false;
  return crypto.subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    kept.keyPair.publicKey,
    Buffer.from(String(signature), 'base64url'),
    new TextEncoder().encode(text),
  );
}

beforeEach(() => {
  calls = [];
  now = 0;
  kept = undefined;
  answers = {
    '/api/sign-in': { deviceId: DEVICE_ID },
    '/api/devices/challenge': { challenge: 'prove it', expiresIn: 60_000 },
    '/api/devices/token': { accessToken: 'token', expiresIn: 600_000 },
  };
});

describe('a device', () => {
  it('[S1] tries a link again with the key that it was tried with', async () => {
    const session = makeSession();
    answers['/api/sign-in'] = { half: 'an answer' };
    await expect(session.signIn(SECRET, 'Laptop')).rejects.toThrow();
    answers['/api/sign-in'] = { deviceId: DEVICE_ID };
    await session.signIn(SECRET, 'Laptop');
    expect(calls[1]?.body['publicKey']).toEqual(calls[0]?.body['publicKey']);
  });

  it('[S1] signs in with a key that can’t be taken out of the browser', async () => {
    await makeSession().signIn(SECRET, 'Laptop');
    expect(kept?.keyPair.privateKey.extractable).toBe(false);
    const text = signInText({ origin: ORIGIN, secret: SECRET, name: 'Laptop' });
    expect(await isSigned(text, calls[0]?.body['signature'])).toBe(true);
  });

  it('[S1] proves itself by a challenge that is bound to the origin', async () => {
    const session = makeSession();
    await session.signIn(SECRET, 'Laptop');
    expect(await session.token()).toBe('token');
    const proof = calls.find((call) => call.path === '/api/devices/token')?.body;
    const deviceId = DEVICE_ID as Parameters<typeof challengeText>[0]['deviceId'];
    const text = challengeText({ origin: ORIGIN, deviceId, challenge: 'prove it' });
    expect(await isSigned(text, proof?.['signature'])).toBe(true);
  });

  it('[S1] asks once for a token that several calls want', async () => {
    const session = makeSession();
    await session.signIn(SECRET, 'Laptop');
    await Promise.all([session.token(), session.token(), session.token()]);
    expect(calls.filter((call) => call.path === '/api/devices/token')).toHaveLength(1);
  });

  it('[S1] renews a token before it ends', async () => {
    const session = makeSession();
    await session.signIn(SECRET, 'Laptop');
    await session.token();
    now = 500_000;
    await session.token();
    expect(calls.filter((call) => call.path === '/api/devices/token')).toHaveLength(2);
  });

  it('[S4] signs a decision with the card, its version and the answer', async () => {
    const session = makeSession();
    await session.signIn(SECRET, 'Laptop');
    const cardId = CardId.parse('00000000-0000-4000-8000-000000000009');
    const of = { cardId, version: 3, decision: { kind: 'skip' } } as const;
    expect(await isSigned(decisionText(of), await session.signDecision(of))).toBe(true);
    expect(
      await isSigned(decisionText({ ...of, version: 4 }), await session.signDecision(of)),
    ).toBe(false);
  });

  it('[S1] is nobody without a key', async () => {
    await expect(makeSession().token()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('[S1] is known again after a reload', async () => {
    await makeSession().signIn(SECRET, 'Laptop');
    const session = makeSession();
    expect(await session.restore()).toBe(true);
    expect(session.deviceId).toBe(DEVICE_ID);
  });
});

describe('the name of a device', () => {
  it.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
      'Chrome · Linux',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
      'Safari · iPhone',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
    ['something else', ''],
  ])('[S1] is proposed from what the browser says: %s', (agent, name) => {
    expect(deviceNameFrom(agent)).toBe(name);
  });
});
