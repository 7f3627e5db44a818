import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  TurnId,
  type Conversation,
  type ConversationId,
  type ProviderId,
  type RelayMessage,
} from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
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

async function texts(id: ConversationId): Promise<string[]> {
  const opened = await phone.open(id);
  if (opened.kind === 'refused') throw new Error(opened.message);
  return opened.page.events.flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));
}

describe('the places of both ends', () => {
  it('[link.1] nothing is sent before the relay has told all of its places', async () => {
    const relay = hub.relay;
    relay.close();
    const late = { messageId: randomUUID(), text: 'While you were away' };
    await phone.post(`/api/conversations/${conversation.id}/stop`);
    await phone.post(`/api/conversations/${conversation.id}/messages`, late);
    relay.heard.clear();
    relay.tellsInPages = true;
    const first = await relay.attach(hub.url);
    const heardBefore = relay.heard.all.length;
    const pages = await relay.tellPlaces();
    relay.tellsInPages = false;
    await relay.hear(conversation.id, 'interrupt');
    const told = [first, ...pages].flatMap(({ conversations }) => conversations);
    expect(heardBefore).toBe(0);
    expect(told).toContainEqual(
      expect.objectContaining({ conversationId: conversation.id, stale: false }),
    );
  });

  it('[link.2] an assignment that began anew takes the place of the one before, from its first number', async () => {
    const { owner } = database;
    hub.relay.close();
    await owner.query(
      `update conversation_head set epoch = 2, sent_n = 1, received_n = 0 where conversation_id = $1`,
      [conversation.id],
    );
    await owner.query(
      `insert into outbox (conversation_id, epoch, n, relay_id, message)
       values ($1, 2, 1, $2, '{"kind": "interrupt"}')`,
      [conversation.id, hub.relay.id],
    );
    hub.relay.heard.clear();

    const { conversations } = await hub.relay.attach(hub.url);
    await hub.relay.hear(conversation.id, 'interrupt');

    const mine = conversations.filter((one) => one.conversationId === conversation.id);
    expect(mine).toEqual([
      expect.objectContaining({ epoch: 1, stale: true }),
      expect.objectContaining({ epoch: 2, sent: 1, received: 0, stale: false }),
    ]);
    expect(hub.relay.heard.all).toMatchObject([{ epoch: 2, n: 1 }]);
    await hub.relay.sendAndSettle(conversation.id, said('of the new epoch'));
    expect(await texts(conversation.id)).toEqual(['of the new epoch']);
  });
});
