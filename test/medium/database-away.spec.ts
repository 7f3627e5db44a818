import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Card, ErrorBody, ProviderId } from '#contracts';
import { cutWireTo, type CutWire } from '../support/cut-wire.js';
import type { DeviceClient, HttpAnswer } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(30_000);

let database: TestDatabase;
let wire: CutWire;
let hub: TestHub;
let phone: DeviceClient;
let card: Card;

beforeAll(async () => {
  database = await openTestDatabase();
  wire = await cutWireTo(database.addresses.app);
  hub = await bootHub(wire.address);
  phone = await hub.device('Phone');
  await hub.relay.attach(hub.url);
  await phone.connect();
  const conversation = await phone.start({
    relayId: hub.relay.id,
    provider: 'scripted' as ProviderId,
  });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.ask(conversation.id);
  const request = await phone.hearRequest(conversation.id);
  [card] = request.cards as [Card];
  wire.cut();
}, 60_000);

afterAll(async () => {
  wire.mend();
  await hub.close();
  await wire.close();
  await database.remove();
});

const CALLS: readonly (readonly [name: string, call: () => Promise<HttpAnswer>])[] = [
  ['whether the hub is ready', () => phone.get('/readyz')],
  ['the inbox', () => phone.get('/api/inbox')],
  ['the board', () => phone.get('/api/conversations')],
  ['a conversation', () => phone.get(`/api/conversations/${card.conversationId}`)],
  ['the devices', () => phone.get('/api/devices')],
  ['the relays', () => phone.get('/api/relays')],
  ['a pairing link', () => phone.post('/api/devices/pairing-links')],
  ['a challenge', () => phone.post('/api/devices/challenge', { deviceId: randomUUID() })],
  ['an answer', () => phone.answer(card, { choices: [0] })],
];

describe('with the database away', () => {
  it.each(CALLS)('[stack] %s is refused as something to try again', async (_, call) => {
    const { status, body } = await call();
    expect([status, (body as ErrorBody).code]).toEqual([503, 'UNAVAILABLE']);
  });
});
