import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Card, CardRequest, Conversation, ProviderId, TurnId } from '#contracts';
import { cutWireTo, type CutWire } from '../support/cut-wire.js';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(10_000);

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let wire: CutWire;
let hub: TestHub;
let phone: DeviceClient;
let laptop: DeviceClient;
let conversation: Conversation;
let request: CardRequest;
let card: Card;

beforeAll(async () => {
  database = await openTestDatabase();
  wire = await cutWireTo(database.addresses.app);
  hub = await bootHub(wire.address);
  phone = await hub.device('Phone');
  laptop = await hub.device('Laptop');
  await hub.relay.attach(hub.url);
}, 60_000);

beforeEach(async () => {
  phone.close();
  laptop.close();
  await phone.connect();
  conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.ask(conversation.id);
  request = await phone.hearRequest(conversation.id);
  [card] = request.cards as [Card];
  await laptop.connect();
});

afterAll(async () => {
  await hub.close();
  await wire.close();
  await database.remove();
});

/** Makes a call whose commit is done and never heard of. @returns the status that the caller got */
async function withLostReply(call: () => Promise<{ status: number }>): Promise<number> {
  const lost = wire.loseNextCommit();
  const [{ status }] = await Promise.all([call(), lost]);
  return status;
}

describe('a commit whose reply was lost', () => {
  it('[C11] of an answer: the relay that is attached is handed it nevertheless', async () => {
    const status = await withLostReply(() => phone.answer(card, { choices: [1] }));
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(status).toBe(503);
    expect(given.cards[0]?.answer).toEqual({ choices: [1] });
  });

  it('[D6] of an answer: every device that shows the card gets a fresh snapshot', async () => {
    laptop.heard.clear();
    await withLostReply(() => phone.answer(card, { choices: [0] }));
    const snapshot = await laptop.hear('snapshot');
    expect(snapshot.inbox.entries.map((entry) => entry.request.id)).not.toContain(request.id);
  });

  it('[D6] of an answer: a device goes on hearing what it has open', async () => {
    await laptop.open(conversation.id);
    laptop.heard.clear();
    await withLostReply(() => phone.answer(card, { choices: [0] }));
    const closed = await laptop.hearEvent(({ body }) => body.kind === 'request-closed');
    const title = JSON.stringify({ title: 'Another' });
    await phone.call('PATCH', `/api/conversations/${conversation.id}`, title);
    const renamed = await laptop.hearEvent(({ body }) => body.kind === 'renamed');
    expect(renamed.n).toBeGreaterThan(closed.n);
  });

  it('[C17] of a message: sent again it is the same one, and the relay has it', async () => {
    await phone.answer(card, { choices: [0] });
    const turnId = randomUUID() as TurnId;
    hub.relay.send(conversation.id, {
      kind: 'answer-progress',
      requestId: request.id,
      delivery: 'delivered',
      possibleRepeat: false,
    });
    await hub.relay.sendAndSettle(conversation.id, {
      kind: 'agent-events',
      events: [{ kind: 'turn-ended', turnId, outcome: 'done' }],
    });
    const message = { messageId: randomUUID(), text: 'Go on.' };
    const send = () => phone.post(`/api/conversations/${conversation.id}/messages`, message);
    const status = await withLostReply(send);
    const again = await send();
    await hub.relay.heard.until(
      ({ message: said }) => said.kind === 'send-message' && said.messageId === message.messageId,
    );
    expect([status, again.status]).toEqual([503, 200]);
  });

  it('[D5] of a start: the relay is given the conversation', async () => {
    const body = {
      relayId: hub.relay.id,
      provider: PROVIDER,
      folder: '/home/me/project',
      mode: 'autopilot',
      firstMessage: { messageId: randomUUID(), text: 'Build it.' },
    };
    const start = () => phone.post('/api/conversations', body);
    const status = await withLostReply(start);
    const again = await start();
    expect([status, again.status]).toEqual([503, 200]);
    await hub.relay.hear((again.body as Conversation).id, 'assign');
  });
});
