import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { FakeRelay } from '../support/fake-relay.js';
import { said, PROVIDER, useLinkedHub } from '../support/linked-hub.js';

const linked = useLinkedHub();

const numbered = (n: number, message: unknown, more: object = {}): unknown => ({
  conversationId: linked.conversation.id,
  epoch: 1,
  n,
  message,
  ...more,
});

describe('who may attach', () => {
  it('[link.8] the hub proves itself over the nonce of the relay', () => {
    const { hubKey = '', signature = '', text = '' } = linked.hub.relay.hubProof ?? {};
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: hubKey }, format: 'jwk' });
    expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))).toBe(true);
  });

  it('[link.8] a relay with an unknown key is refused', async () => {
    const stranger = new FakeRelay();
    expect(await stranger.tryToAttach(linked.hub.url)).toMatchObject({ code: 'RELAY_UNKNOWN' });
    stranger.close();
  });

  it("[link.8] who knows a relay's key without holding it is refused", async () => {
    const thief = new FakeRelay();
    Object.assign(thief, { publicKey: linked.hub.relay.publicKey });
    expect(await thief.tryToAttach(linked.hub.url)).toMatchObject({ code: 'BAD_SIGNATURE' });
    thief.close();
  });

  it('[link.8] who has not attached says nothing that counts', async () => {
    const socket = io(`${linked.hub.url}/relay`, { transports: ['websocket'], forceNew: true });
    socket.emit('messages', { messages: [numbered(1, said('from nowhere'))] });
    await new Promise((resolve) => socket.emit('hello', {}, resolve));
    socket.disconnect();
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('from the relay'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['from the relay']);
  });

  it('[link.7] a second relay with the key of one that answers is refused', async () => {
    const { instance } = linked.hub.relay;
    const { socket } = linked.hub.relay;
    linked.hub.relay.instance = randomUUID();
    const answer = await linked.hub.relay.tryToAttach(linked.hub.url);
    linked.hub.relay.close();
    Object.assign(linked.hub.relay, { instance, socket });
    expect(answer).toMatchObject({ code: 'RELAY_DUPLICATE' });
    expect(socket?.connected).toBe(true);
  });

  it('[link.7] the same process that comes again takes its own place', async () => {
    const older = linked.hub.relay.socket;
    const gone = new Promise((resolve) => older?.once('disconnect', resolve));
    await linked.hub.relay.attach(linked.hub.url);
    await gone;
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('over the new one'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['over the new one']);
  });
});

describe('what is told of relays', () => {
  it('[D2] devices hear when a relay leaves and when it is back', async () => {
    await linked.phone.connect();
    linked.hub.relay.close();
    await linked.phone.hear('relay', ({ relay }) => !relay.attached);
    await linked.hub.relay.attach(linked.hub.url);
    const { relay } = await linked.phone.hear('relay', (change) => change.relay.attached);
    expect(relay.providers.map(({ descriptor }) => descriptor.id)).toEqual([PROVIDER]);
  });

  it('[P15] a change of a provider is heard on every device', async () => {
    linked.hub.relay.socket?.emit('provider-status', {
      id: PROVIDER,
      client: { state: 'not-needed' },
      signedIn: 'no',
      advice: 'Sign in.',
      configured: [],
    });
    const change = await linked.phone.hear('relay', ({ relay }) =>
      relay.providers.some(({ status }) => status.signedIn === 'no'),
    );
    expect(change.relay.id).toBe(linked.hub.relay.id);
  });

  it('[D5] folders are asked from the relay, and its refusal is told', async () => {
    linked.hub.relay.socket?.once('list-folders', (_call, reply) =>
      reply({ ok: true, listing: { path: '/home/me', folders: [] } }),
    );
    const path = `/api/relays/${linked.hub.relay.id}/folders`;
    expect((await linked.phone.get(`${path}?path=/home/me`)).body).toEqual({
      path: '/home/me',
      folders: [],
    });
    linked.hub.relay.socket?.once('list-folders', (_call, reply) =>
      reply({ ok: false, code: 'NOT_FOUND', message: 'There is no such folder.' }),
    );
    expect((await linked.phone.get(path)).body).toMatchObject({
      message: 'There is no such folder.',
    });
  });

  it('[D5] a relay that is away can be asked nothing', async () => {
    linked.hub.relay.close();
    await linked.phone.hear('relay', ({ relay }) => !relay.attached);
    const answer = await linked.phone.get(`/api/relays/${linked.hub.relay.id}/folders`);
    expect([answer.status, answer.body]).toMatchObject([503, { code: 'RELAY_AWAY' }]);
  });

  it('[security] settings of a provider reach the relay and never the log', async () => {
    linked.hub.relay.socket?.once('configure-provider', (call, reply) =>
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
    const path = `/api/relays/${linked.hub.relay.id}/providers/${PROVIDER}/settings`;
    const values = { apiKey: 'sk-very-secret' };
    const answer = await linked.phone.call('PUT', path, JSON.stringify({ values }));
    expect(answer.body).toMatchObject({ configured: ['apiKey'] });
    const { rows } = await linked.database.owner.query<{ log: string }>(
      `select string_agg(audit::text, ' ') as log from audit`,
    );
    expect(rows[0]?.log).toContain('apiKey');
    expect(rows[0]?.log).not.toContain('sk-very-secret');
  });
});
