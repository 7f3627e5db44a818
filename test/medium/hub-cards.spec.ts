import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  Card,
  CardDecided,
  CardRequest,
  Conversation,
  ErrorBody,
  ProviderId,
} from '#contracts';
import { aQuestion } from '../support/card-builders.js';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let laptop: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  laptop = await hub.device('Laptop');
  await hub.relay.attach(hub.url);
  await phone.connect();
  await laptop.connect();
}, 60_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

/** A conversation whose agent has just asked. */
async function asked(questions = [aQuestion()]): Promise<{
  conversation: Conversation;
  request: CardRequest;
  card: Card;
}> {
  const conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.ask(conversation.id, questions);
  const request = await phone.hearRequest(conversation.id);
  return { conversation, request, card: cardOf(request, 0) };
}

function cardOf(request: CardRequest, position: number): Card {
  const card = request.cards[position];
  if (card === undefined) throw new Error(`no card at ${position}`);
  return card;
}

const told = (body: unknown): { card: Card; request: CardRequest } =>
  (body as ErrorBody).details as { card: Card; request: CardRequest };

describe('a message', () => {
  it('[quality] that has the name of one in another conversation is refused by its field', async () => {
    const [one, other] = [await asked(), await asked()];
    const message = { messageId: randomUUID(), text: 'Go on.' };
    const sendTo = ({ id }: Conversation) =>
      phone.post(`/api/conversations/${id}/messages`, message);
    const first = await sendTo(one.conversation);
    const second = await sendTo(other.conversation);
    expect([first.status, second.status]).toEqual([200, 400]);
    expect((second.body as ErrorBody).fields?.[0]?.field).toBe('messageId');
  });
});

describe('a card, from the agent to the devices and back', () => {
  it('[C1] an answer given on a device reaches the relay', async () => {
    const { conversation, request, card } = await asked();
    expect((await phone.answer(card, { choices: [1], text: 'for now' })).status).toBe(200);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(given).toMatchObject({
      requestId: request.id,
      outcome: 'answered',
      cards: [{ outcome: 'answered', answer: { choices: [1], text: 'for now' } }],
    });
  });

  it('[C10] the second of two devices is refused and told who, when and with what', async () => {
    const { card } = await asked();
    const answers = await Promise.all([
      phone.answer(card, { choices: [0] }),
      laptop.answer(card, { choices: [1] }),
    ]);
    const [won, lost] = answers.sort((a, b) => a.status - b.status);
    expect([won?.status, lost?.status]).toEqual([200, 409]);
    const winner = cardOf((won?.body as CardDecided).request, 0);
    expect(told(lost?.body).card.settlement).toEqual(winner.settlement);
    expect((lost?.body as ErrorBody).code).toBe('ALREADY_SETTLED');
  });

  it('[C10] the same answer of the same device again is told that it stands', async () => {
    const { card } = await asked();
    const first = await phone.answer(card, { choices: [0] });
    const again = await phone.answer(card, { choices: [0] });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(cardOf((again.body as CardDecided).request, 0).settlement).toEqual(
      cardOf((first.body as CardDecided).request, 0).settlement,
    );
  });

  it('[C10] another answer of the same device is no retry', async () => {
    const { card } = await asked();
    await phone.answer(card, { choices: [0] });
    expect((await phone.answer(card, { choices: [1] })).status).toBe(409);
  });

  it('[C15] an answer on a version that is not the one shown is refused', async () => {
    const { card } = await asked();
    const answer = await phone.answer({ id: card.id, version: card.version + 1 }, { choices: [0] });
    expect([answer.status, (answer.body as ErrorBody).code]).toEqual([409, 'STALE_VERSION']);
  });

  it('[C16] a skipped card is told to the relay as skipped', async () => {
    const { conversation, card } = await asked();
    expect((await phone.skip(card)).status).toBe(200);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(given.cards[0]?.outcome).toBe('skipped');
  });

  it('[C6] the agent hears nothing until the last card of its call is settled', async () => {
    const { conversation, request, card } = await asked([
      aQuestion(),
      aQuestion({ question: 'And?' }),
    ]);
    await phone.answer(card, { choices: [0] });
    await hub.relay.sendAndSettle(conversation.id, { kind: 'process', state: 'live' });
    const before = hub.relay.heard.all.filter(
      ({ conversationId, message }) =>
        conversationId === conversation.id && message.kind === 'give-answer',
    );
    await phone.answer(cardOf(request, 1), { choices: [1] });
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(before).toEqual([]);
    expect(given.cards.map(({ answer }) => answer?.choices)).toEqual([[0], [1]]);
  });

  it('[C6] until then an answer can be changed by who holds its version', async () => {
    const { conversation, request, card } = await asked([
      aQuestion(),
      aQuestion({ question: 'And?' }),
    ]);
    const first = await phone.answer(card, { choices: [0] });
    const { request: after } = first.body as CardDecided;
    expect((await laptop.answer(cardOf(after, 0), { choices: [1] })).status).toBe(200);
    await phone.answer(cardOf(request, 1), { choices: [1] });
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    expect(given.cards[0]?.answer?.choices).toEqual([1]);
  });

  it('[C2] a choice that the question does not have is named by its field', async () => {
    const { card } = await asked();
    const answer = await phone.answer(card, { choices: [7] });
    expect([answer.status, (answer.body as ErrorBody).fields?.[0]?.field]).toEqual([
      422,
      'answer.choices',
    ]);
  });

  it("[S4] an answer that another device's key signed settles nothing", async () => {
    const { card } = await asked();
    const answer = { choices: [0] };
    const signature = laptop.signDecision(card, { kind: 'answer', answer });
    const path = `/api/cards/${card.id}/answer`;
    const refused = await phone.post(path, { version: card.version, answer, signature });
    expect([refused.status, (refused.body as ErrorBody).code]).toEqual([403, 'BAD_SIGNATURE']);
    expect((await phone.answer(card, answer)).status).toBe(200);
  });

  it('[D6] a card answered on one device folds on the other', async () => {
    const { request, card } = await asked();
    await laptop.hear('inbox', ({ entries }) => entries.some((e) => e.request.id === request.id));
    await phone.answer(card, { choices: [0] });
    const change = await laptop.hear('inbox', ({ closed }) => closed.includes(request.id));
    const folded = change.entries.find((entry) => entry.request.id === request.id);
    expect(folded?.request.cards[0]?.settlement).toMatchObject({ answer: { choices: [0] } });
  });

  it('[C7] a request whose time is over closes by itself and tells the agent', async () => {
    const { conversation, request } = await asked();
    await database.moveClock(9 * 60 * 60 * 1000);
    const given = await hub.relay.hear(conversation.id, 'give-answer');
    await database.moveClock(0);
    expect([given.requestId, given.outcome]).toEqual([request.id, 'expired']);
    // The hub looks every five seconds for what a moved clock has made due.
  }, 30_000);

  it('[C7] a deadline of the hub can be moved by a person', async () => {
    const { request } = await asked();
    const answer = await phone.post(`/api/requests/${request.id}/extend`, { by: 3_600_000 });
    expect(answer.status).toBe(200);
    expect((answer.body as CardRequest).deadlineAt).toBe(request.deadlineAt + 3_600_000);
  });
});
