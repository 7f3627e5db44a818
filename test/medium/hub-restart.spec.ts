import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Card, CardRequest, Conversation, ProviderId } from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let conversation: Conversation;
let request: CardRequest;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
}, 60_000);

beforeEach(async () => {
  if (hub.relay.socket?.connected !== true) await hub.relay.attach(hub.url);
  phone.close();
  await phone.connect();
  conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.ask(conversation.id);
  request = await phone.hearRequest(conversation.id);
}, 30_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

function theCard(): Card {
  const [card] = request.cards;
  if (card === undefined) throw new Error('a request without a card');
  return card;
}

describe('an open card', () => {
  it('[C11] is answered over a hub that was restarted', async () => {
    await hub.restart();
    const snapshot = await phone.connect();
    expect(snapshot.inbox.entries.map((entry) => entry.request.id)).toContain(request.id);
    await hub.relay.attach(hub.url);
    expect((await phone.answer(theCard(), { choices: [0] })).status).toBe(200);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(given.requestId).toBe(request.id);
  });

  it('[C11] answered while the relay is away, reaches it when it is back', async () => {
    hub.relay.close();
    expect((await phone.answer(theCard(), { choices: [1] })).status).toBe(200);
    await hub.relay.attach(hub.url);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(given.cards[0]?.answer).toEqual({ choices: [1] });
  });

  it('[C11] answered right before the hub ends, reaches the relay from the next one', async () => {
    hub.relay.close();
    await phone.answer(theCard(), { choices: [0] });
    await hub.restart();
    await hub.relay.attach(hub.url);
    await hub.relay.hear(conversation.id, 'give-answer');
    const mine = hub.relay.heard.all.filter(
      ({ conversationId, message }) =>
        conversationId === conversation.id && message.kind === 'give-answer',
    );
    expect(mine).toHaveLength(1);
  });

  it('[C7] whose time ran out while no hub ran expires with the next one', async () => {
    await hub.restart(() => database.moveClock(9 * 60 * 60 * 1000));
    await hub.relay.attach(hub.url);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    await database.moveClock(0);
    expect(given.outcome).toBe('expired');
  });
});

describe('with PostgreSQL restarted', () => {
  // A PostgreSQL of somebody's own is not ours to restart.
  const onOwnServer = process.env['TEST_DATABASE_URL'] === undefined ? it : it.skip;

  onOwnServer(
    '[link.1] what the relay says meanwhile is refused nothing and lost nowhere',
    async () => {
      const gone = new Promise((resolve) => hub.relay.socket?.once('disconnect', resolve));
      const restarted = database.restart?.();
      const asked = { messageId: randomUUID(), text: 'Are you there?' };
      const sending = phone.post(`/api/conversations/${conversation.id}/messages`, asked);
      hub.relay.send(conversation.id, { kind: 'process', state: 'live' });
      const { status } = await sending;
      expect([200, 503]).toContain(status);
      await restarted;
      await Promise.race([
        gone,
        hub.relay.acknowledgedUpTo(conversation.id, hub.relay.journalOf(conversation.id).sent),
      ]);
      if (hub.relay.socket?.connected !== true) {
        const { conversations } = await hub.relay.attach(hub.url);
        const cursor = conversations.find((one) => one.conversationId === conversation.id);
        const { sent } = hub.relay.journalOf(conversation.id);
        hub.relay.journalOf(conversation.id).sent = cursor?.received ?? 0;
        while (hub.relay.journalOf(conversation.id).sent < sent) {
          hub.relay.send(conversation.id, { kind: 'process', state: 'live' });
        }
        await hub.relay.acknowledgedUpTo(conversation.id, sent);
      }
      expect((await phone.get('/readyz')).status).toBe(200);
      expect((await phone.answer(theCard(), { choices: [0] })).status).toBe(200);
      await hub.relay.hear(conversation.id, 'give-answer');
    },
    30_000,
  );
});
