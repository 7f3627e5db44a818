import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import {
  TurnId,
  type Conversation,
  type ConversationId,
  type ProviderId,
  type RelayMessage,
} from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import { FakeRelay } from '../support/fake-relay.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let conversation: Conversation;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  await phone.connect();
}, 60_000);

beforeEach(async () => {
  hub.relay.acknowledges = true;
  if (hub.relay.socket?.connected !== true) await hub.relay.attach(hub.url);
  conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.receipts.clear();
});

afterAll(async () => {
  await hub.close();
  await database.remove();
});

const turnId = TurnId.parse(randomUUID());
const said = (text: string): RelayMessage => ({
  kind: 'agent-events',
  events: [{ kind: 'text', turnId, blockId: text, text }],
});

const numbered = (n: number, message: unknown, more: object = {}): unknown => ({
  conversationId: conversation.id,
  epoch: 1,
  n,
  message,
  ...more,
});

async function texts(id: ConversationId): Promise<string[]> {
  const opened = await phone.open(id);
  if (opened.kind === 'refused') throw new Error(opened.message);
  return opened.page.events.flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));
}

describe('who may attach', () => {
  it('[link.8] the hub proves itself over the nonce of the relay', () => {
    const { hubKey = '', signature = '', text = '' } = hub.relay.hubProof ?? {};
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: hubKey }, format: 'jwk' });
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('[link.8] a relay with an unknown key is refused', async () => {
    const stranger = new FakeRelay();
    expect(await stranger.tryToAttach(hub.url)).toMatchObject({ code: 'RELAY_UNKNOWN' });
    stranger.close();
  });

  it("[link.8] who knows a relay's key without holding it is refused", async () => {
    const thief = new FakeRelay();
    Object.assign(thief, { publicKey: hub.relay.publicKey });
    expect(await thief.tryToAttach(hub.url)).toMatchObject({ code: 'BAD_SIGNATURE' });
    thief.close();
  });

  it('[link.8] who has not attached says nothing that counts', async () => {
    const socket = io(`${hub.url}/relay`, { transports: ['websocket'], forceNew: true });
    socket.emit('messages', { messages: [numbered(1, said('from nowhere'))] });
    await new Promise((resolve) => socket.emit('hello', {}, resolve));
    socket.disconnect();
    await hub.relay.sendAndSettle(conversation.id, said('from the relay'));
    expect(await texts(conversation.id)).toEqual(['from the relay']);
  });

  it('[link.7] a second relay with the key of one that answers is refused', async () => {
    const { instance } = hub.relay;
    const { socket } = hub.relay;
    hub.relay.instance = randomUUID();
    const answer = await hub.relay.tryToAttach(hub.url);
    hub.relay.close();
    Object.assign(hub.relay, { instance, socket });
    expect(answer).toMatchObject({ code: 'RELAY_DUPLICATE' });
    expect(socket?.connected).toBe(true);
  });

  it('[link.7] the same process that comes again takes its own place', async () => {
    const older = hub.relay.socket;
    const gone = new Promise((resolve) => older?.once('disconnect', resolve));
    await hub.relay.attach(hub.url);
    await gone;
    await hub.relay.sendAndSettle(conversation.id, said('over the new one'));
    expect(await texts(conversation.id)).toEqual(['over the new one']);
  });
});

describe('what is told of relays', () => {
  it('[D2] devices hear when a relay leaves and when it is back', async () => {
    await phone.connect();
    hub.relay.close();
    await phone.hear('relay', ({ relay }) => !relay.attached);
    await hub.relay.attach(hub.url);
    const { relay } = await phone.hear('relay', (change) => change.relay.attached);
    expect(relay.providers.map(({ descriptor }) => descriptor.id)).toEqual([PROVIDER]);
  });

  it('[P15] a change of a provider is heard on every device', async () => {
    hub.relay.socket?.emit('provider-status', {
      id: PROVIDER,
      client: { state: 'not-needed' },
      signedIn: 'no',
      advice: 'Sign in.',
      configured: [],
    });
    const change = await phone.hear('relay', ({ relay }) =>
      relay.providers.some(({ status }) => status.signedIn === 'no'),
    );
    expect(change.relay.id).toBe(hub.relay.id);
  });

  it('[D5] folders are asked from the relay, and its refusal is told', async () => {
    hub.relay.socket?.once('list-folders', (_call, reply) =>
      reply({ ok: true, listing: { path: '/home/me', folders: [] } }),
    );
    const path = `/api/relays/${hub.relay.id}/folders`;
    expect((await phone.get(`${path}?path=/home/me`)).body).toEqual({
      path: '/home/me',
      folders: [],
    });
    hub.relay.socket?.once('list-folders', (_call, reply) =>
      reply({ ok: false, code: 'NOT_FOUND', message: 'There is no such folder.' }),
    );
    expect((await phone.get(path)).body).toMatchObject({ message: 'There is no such folder.' });
  });

  it('[D5] a relay that is away can be asked nothing', async () => {
    hub.relay.close();
    await phone.hear('relay', ({ relay }) => !relay.attached);
    const answer = await phone.get(`/api/relays/${hub.relay.id}/folders`);
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'RELAY_AWAY' }]);
  });

  it('[security] settings of a provider reach the relay and never the log', async () => {
    hub.relay.socket?.once('configure-provider', (call, reply) =>
      reply({
        ok: true,
        status: {
          id: call.provider,
          client: { state: 'not-needed' },
          signedIn: 'yes',
          configured: Object.keys(call.values),
        },
      }),
    );
    const path = `/api/relays/${hub.relay.id}/providers/${PROVIDER}/settings`;
    const values = { apiKey: 'sk-very-secret' };
    const answer = await phone.call('PUT', path, JSON.stringify({ values }));
    expect(answer.body).toMatchObject({ configured: ['apiKey'] });
    const { rows } = await database.owner.query<{ log: string }>(
      `select string_agg(audit::text, ' ') as log from audit`,
    );
    expect(rows[0]?.log).toContain('apiKey');
    expect(rows[0]?.log).not.toContain('sk-very-secret');
  });
});
