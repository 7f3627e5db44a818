import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Card, CardDecided, Conversation, ErrorBody, ProviderId } from '#contracts';
import { aQuestion } from '../support/card-builders.js';
import type { DeviceClient, HttpAnswer } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVIDER = 'scripted' as ProviderId;
const RACES = 1_000;
const AT_ONCE = 25;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let laptop: DeviceClient;
let conversations: Conversation[];

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  laptop = await hub.device('Laptop');
  await hub.relay.attach(hub.url);
  await phone.connect();
  conversations = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      phone.start({ relayId: hub.relay.id, provider: PROVIDER }),
    ),
  );
}, 60_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

/** What became of a race: who won, and what the other one was told. */
interface Race {
  readonly won: HttpAnswer[];
  readonly lost: HttpAnswer[];
  readonly given: readonly number[] | undefined;
}

async function race(conversation: Conversation, round: number): Promise<Race> {
  const question = aQuestion({ question: `Which one in round ${round}?` });
  const toolCallId = hub.relay.ask(conversation.id, [question]);
  const change = await phone.hear('inbox', ({ entries }) =>
    entries.some((entry) => entry.request.toolCallId === toolCallId),
  );
  const entry = change.entries.find((one) => one.request.toolCallId === toolCallId);
  const [card] = entry?.request.cards ?? [];
  if (card === undefined) throw new Error('a request without a card');
  const answers = await Promise.all([
    phone.answer(card, { choices: [0] }),
    laptop.answer(card, { choices: [1] }),
  ]);
  const given = await hub.relay.heard.until(
    ({ message }) => message.kind === 'give-answer' && message.toolCallId === toolCallId,
  );
  return {
    won: answers.filter(({ status }) => status === 200),
    lost: answers.filter(({ status }) => status === 409),
    given:
      given.message.kind === 'give-answer' ? given.message.cards[0]?.answer?.choices : undefined,
  };
}

const settlementOf = (answer: HttpAnswer | undefined, card: (body: unknown) => Card | undefined) =>
  card(answer?.body)?.settlement;

describe('two devices on one card', () => {
  it(`[C10] of ${RACES} races each has one winner, and the loser is told who, when and with what`, async () => {
    const races: Race[] = [];
    for (let round = 0; round < RACES / AT_ONCE; round += 1) {
      phone.heard.clear();
      hub.relay.heard.clear();
      races.push(...(await Promise.all(conversations.map((one) => race(one, round)))));
    }
    expect(races).toHaveLength(RACES);
    for (const { won, lost, given } of races) {
      expect([won.length, lost.length]).toEqual([1, 1]);
      const winner = settlementOf(won[0], (body) => (body as CardDecided).request.cards[0]);
      const told = settlementOf(
        lost[0],
        (body) => ((body as ErrorBody).details as { card: Card }).card,
      );
      expect(told).toEqual(winner);
      expect(given).toEqual(winner?.answer?.choices);
    }
  }, 300_000);
});
