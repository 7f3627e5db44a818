import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  decisionText,
  passkeyChangeText,
  type Card,
  type ErrorBody,
  type PasskeyNonce,
  type PasskeyProof,
  type PasskeyRequirement,
  type Passkeys,
  type ProviderId,
} from '#contracts';
import { aQuestion } from '../support/card-builders.js';
import { DeviceClient, type HttpAnswer } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';
import { SoftPasskey, type Otherwise } from '../support/soft-passkey.js';

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let passkey: SoftPasskey;

/** At localhost: an address in digits can have no passkeys. */
const deviceAtLocalhost = (name: string): Promise<DeviceClient> =>
  deviceAt(name, `http://localhost:${new URL(hub.url).port}`);

async function deviceAt(name: string, origin: string): Promise<DeviceClient> {
  const link = await hub.hub.signInLink('now');
  const device = new DeviceClient(hub.url, name, origin);
  await device.signIn(link?.url.split('/').at(-1) ?? '');
  return device;
}

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await deviceAtLocalhost('Phone');
  await hub.relay.attach(hub.url);
  await phone.connect();
}, 60_000);

beforeEach(async () => {
  await hub.hub.forgetPasskeys();
  passkey = new SoftPasskey('localhost', `http://localhost:${new URL(hub.url).port}`);
});

afterAll(async () => {
  phone.close();
  await hub.close();
  await database.remove();
});

const rows = async <T>(query: string): Promise<T[]> =>
  (await database.owner.query(query)).rows as T[];

const nonce = async (on = phone): Promise<PasskeyNonce> =>
  (await on.post('/api/passkeys/nonces')).body as PasskeyNonce;
const codeOf = ({ status, body }: HttpAnswer): [number, string] => [
  status,
  (body as ErrorBody).code,
];
const list = async (): Promise<Passkeys> => (await phone.get('/api/passkeys')).body as Passkeys;

async function register(one: SoftPasskey, proof?: PasskeyProof): Promise<HttpAnswer> {
  const text = passkeyChangeText({ kind: 'register', name: 'Key' });
  const body = one.register(await nonce(), { name: 'Key', text });
  return phone.post('/api/passkeys', proof === undefined ? body : { ...body, proof });
}
async function demandFor(requirement: PasskeyRequirement, otherwise?: Otherwise) {
  const text = passkeyChangeText({ kind: 'require', requirement });
  const proof = passkey.prove(await nonce(), text, otherwise);
  return phone.call('PUT', '/api/passkeys/requirement', JSON.stringify({ requirement, proof }));
}

async function askedCard(): Promise<Card> {
  const conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.ask(conversation.id, [aQuestion()]);
  const request = await phone.hearRequest(conversation.id);
  return request.cards[0] as Card;
}

const answer = { choices: [0] };
const textOf = (card: Card): string =>
  decisionText({ cardId: card.id, version: card.version, decision: { kind: 'answer', answer } });
const decide = (card: Card, proof?: PasskeyProof, by = phone): Promise<HttpAnswer> =>
  by.post(`/api/cards/${card.id}/answer`, {
    ...{ version: card.version, answer, passkey: proof },
    signature: by.signDecision(card, { kind: 'answer', answer }),
  });
async function required(): Promise<Card> {
  await register(passkey);
  await demandFor('all');
  return askedCard();
}

describe('decisions that need a passkey', () => {
  it('[S1] are refused to a device alone, and the card stays open', async () => {
    const card = await required();
    expect(codeOf(await decide(card))).toEqual([403, 'PASSKEY_NEEDED']);
    const skip = await phone.skip(card);
    expect(codeOf(skip)).toEqual([403, 'PASSKEY_NEEDED']);
    expect((await decide(card, passkey.prove(await nonce(), textOf(card)))).status).toBe(200);
  });

  it('[S4] leave the proof in the audit log beside the signature of the device', async () => {
    const card = await required();
    const proof = passkey.prove(await nonce(), textOf(card));
    await decide(card, proof);
    const [entry] = await rows<{ body: object; signature: string }>(
      `select body, signature from audit where card_id = '${card.id}' and action = 'card-answered'`,
    );
    expect(entry?.body).toMatchObject({ passkey: { ...proof, rpId: 'localhost', name: 'Key' } });
    expect(entry?.signature).toHaveLength(86);
  });

  it('[S1] are told the same once more where the very same proof comes again', async () => {
    const card = await required();
    const proof = passkey.prove(await nonce(), textOf(card));
    const both = [await decide(card, proof), await decide(card, proof)];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  it.each([
    ['about another answer', { text: 'another' }],
    ['made for another page', { origin: 'http://localhost:3000' }],
    ['without its user verified', { userVerified: false }],
  ] as const)('[S1] are refused with a proof %s', async (_what, otherwise) => {
    const card = await required();
    const proof = passkey.prove(await nonce(), textOf(card), otherwise);
    expect(codeOf(await decide(card, proof))).toEqual([403, 'PASSKEY_REFUSED']);
  });

  it('[S1] are refused with a proof for another card', async () => {
    const [card, other] = [await required(), await askedCard()];
    const proof = passkey.prove(await nonce(), textOf(other));
    expect(codeOf(await decide(card, proof))).toEqual([403, 'PASSKEY_REFUSED']);
    expect(codeOf(await decide(other, proof))).toEqual([403, 'PASSKEY_REFUSED']);
  });

  it('[S1] are refused with a nonce of another device, or one that was made up', async () => {
    const card = await required();
    const laptop = await deviceAtLocalhost('Laptop');
    const theirs = passkey.prove(await nonce(laptop), textOf(card));
    const madeUp = passkey.prove({ nonce: 'A'.repeat(43) }, textOf(card));
    expect(codeOf(await decide(card, theirs))).toEqual([403, 'PASSKEY_REFUSED']);
    expect(codeOf(await decide(card, madeUp))).toEqual([403, 'PASSKEY_REFUSED']);
  });

  it('[S1] are refused to a passkey that nobody registered', async () => {
    const card = await required();
    const stranger = new SoftPasskey('localhost', `http://localhost:${new URL(hub.url).port}`);
    const proof = stranger.prove(await nonce(), textOf(card));
    expect(codeOf(await decide(card, proof))).toEqual([403, 'PASSKEY_REFUSED']);
  });

  it('[S1] need none where only approvals do, and after it was switched off', async () => {
    await register(passkey);
    await demandFor('approvals');
    expect((await decide(await askedCard())).status).toBe(200);
    await demandFor('all');
    await demandFor('off');
    expect((await decide(await askedCard())).status).toBe(200);
  });
});

describe('a passkey that counts backwards', () => {
  it('[S1] is suspended, written down, and good for nothing any more', async () => {
    const card = await required();
    const copy = passkey.prove(await nonce(), textOf(card), { counter: 1 });
    expect(codeOf(await decide(card, copy))).toEqual([403, 'PASSKEY_REFUSED']);
    const good = passkey.prove(await nonce(), textOf(card), { counter: 9 });
    expect(codeOf(await decide(card, good))).toEqual([403, 'PASSKEY_REFUSED']);
    expect((await list()).passkeys[0]?.suspendedAt).toEqual(expect.any(Number));
    const entries = await rows(`select 1 from audit where action = 'passkey-suspended'`);
    expect(entries).toHaveLength(1);
  });

  it('[S1] is no passkey that never counts, as those that are synced', async () => {
    await register(passkey);
    expect((await demandFor('all', { counter: 0 })).status).toBe(200);
    expect((await demandFor('off', { counter: 0 })).status).toBe(200);
  });
});

describe('what a passkey itself has to prove', () => {
  it('[S1] is that decisions need one, and that they need none any more', async () => {
    await register(passkey);
    const without = JSON.stringify({ requirement: 'all' });
    expect((await phone.call('PUT', '/api/passkeys/requirement', without)).status).toBe(400);
    expect((await demandFor('all')).status).toBe(200);
    const wrong = await demandFor('off', {
      text: passkeyChangeText({ kind: 'require', requirement: 'all' }),
    });
    expect(codeOf(wrong)).toEqual([403, 'PASSKEY_REFUSED']);
    expect((await list()).requirement).toBe('all');
  });

  it('[S1] is another passkey, once decisions need one', async () => {
    await required();
    const second = new SoftPasskey('localhost', `http://localhost:${new URL(hub.url).port}`);
    expect(codeOf(await register(second))).toEqual([403, 'PASSKEY_NEEDED']);
    const text = passkeyChangeText({ kind: 'register', name: 'Key' });
    const added = await register(second, passkey.prove(await nonce(), text));
    expect((added.body as Passkeys).passkeys).toHaveLength(2);
  });

  it('[S1] is its removal, and the last one stays while decisions need one', async () => {
    await required();
    const [{ id } = { id: undefined }] = (await list()).passkeys;
    const remove = async (text: string): Promise<HttpAnswer> =>
      phone.post(`/api/passkeys/${id}/removal`, { proof: passkey.prove(await nonce(), text) });
    expect(codeOf(await remove('something else'))).toEqual([403, 'PASSKEY_REFUSED']);
    const text = passkeyChangeText({ kind: 'remove', id: id as never });
    expect(codeOf(await remove(text))).toEqual([400, 'INVALID']);
    await demandFor('off');
    expect(((await remove(text)).body as Passkeys).passkeys).toEqual([]);
  });
});

describe('addresses', () => {
  it('[S1] in digits can have no passkeys, and that is said with what to do', async () => {
    const plain = await deviceAt('Plain', hub.url);
    const { status, body } = await plain.post('/api/passkeys/nonces');
    expect([status, (body as ErrorBody).message]).toEqual([
      403,
      expect.stringMatching(/open the page at localhost/),
    ]);
    expect((await plain.get('/api/passkeys')).body).toEqual({ requirement: 'off', passkeys: [] });
  });

  it('[S1] with a name offer the passkeys that work there', async () => {
    await register(passkey);
    const offered = await nonce();
    expect([offered.rpId, offered.credentials]).toEqual([
      'localhost',
      [{ id: passkey.credentialId, transports: [] }],
    ]);
  });
});

it('[S1] who lost every passkey takes them away on the machine itself, and that is written down', async () => {
  const card = await required();
  expect(await hub.hub.forgetPasskeys()).toBe(1);
  expect((await decide(card)).status).toBe(200);
  expect(await list()).toEqual({ requirement: 'off', passkeys: [], rpId: 'localhost' });
  const [entry] = await rows<{ actor: object; body: object }>(
    `select actor, body from audit where action = 'passkeys-forgotten' order by id desc limit 1`,
  );
  expect(entry).toMatchObject({ actor: { name: 'terminal' }, body: { names: ['Key'] } });
});
