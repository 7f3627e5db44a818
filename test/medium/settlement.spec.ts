import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Card } from '#contracts';
import type { WriteResult } from '#domain';
import {
  aDeed,
  answerWrite,
  cardAt,
  committedOf,
  kindsOf,
  refusalOf,
  startConversation,
} from '../support/conversation-builders.js';
import { aQuestion } from '../support/card-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

const RIVALS = [
  { choice: 0, deed: aDeed('Phone') },
  { choice: 1, deed: aDeed('Laptop') },
] as const;
type Race = readonly [WriteResult, WriteResult];

function race(card: Card): Promise<Race> {
  const { writes } = database.store;
  const [phone, laptop] = RIVALS;
  return Promise.all([
    writes.write(answerWrite(card, phone)),
    writes.write(answerWrite(card, laptop)),
  ]);
}

/** One winner, and the loser is told who that was, when, and with what. */
function wasFair([phone, laptop]: Race): boolean {
  if (phone.ok === laptop.ok) return false;
  const winner = RIVALS[phone.ok ? 0 : 1];
  const refusal = refusalOf(phone.ok ? laptop : phone);
  const told = 'card' in refusal ? refusal.card.settlement : undefined;
  return (
    told?.by.name === winner.deed.by.name &&
    told.answer?.choices[0] === winner.choice &&
    told.at > 0
  );
}

describe('two who answer one card', () => {
  it('[C10] of 1,000 races of two devices each has one winner, and the loser is told who, with what and when', async () => {
    const conversations = await Promise.all(
      Array.from({ length: 20 }, () => startConversation(database.store)),
    );
    const wrong: Race[] = [];

    for (let round = 0; round < 50; round += 1) {
      const body = aQuestion({ question: `Round ${round}?` });
      const cards = await Promise.all(
        conversations.map(async (one) => cardAt(await one.ask({ body }))),
      );
      const races = await Promise.all(cards.map(race));
      wrong.push(...races.filter((one) => !wasFair(one)));
    }

    expect(wrong).toEqual([]);
  });

  it('[C10] a second answer is refused, and the first one stands', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    committedOf(await database.store.writes.write(answerWrite(card, { choice: 0 })));

    const refusal = refusalOf(
      await database.store.writes.write(answerWrite(card, { choice: 1, deed: aDeed('Laptop') })),
    );

    const stored = await database.store.reads.card(card.id);
    expect(refusal.code).toBe('ALREADY_SETTLED');
    expect(stored?.card.settlement?.answer).toEqual({ choices: [0] });
  });
});

describe('a request of several cards', () => {
  it('[C6] closes with its last card, and hands all answers out together', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ questions: 3 });
    const handedOut: string[][] = [];

    for (const position of [2, 0, 1]) {
      const write = answerWrite(cardAt(request, position), { choice: 0 });
      const committed = committedOf(await database.store.writes.write(write));
      handedOut.push(committed.outbox.map(({ message }) => message.kind));
    }

    expect(handedOut).toEqual([[], [], ['give-answer']]);
  });

  it('[C6] closes once when its last two cards are answered at the same time', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ questions: 2 });

    const both = await Promise.all(
      request.cards.map((card) => database.store.writes.write(answerWrite(card, { choice: 1 }))),
    );

    const closings = both
      .map(committedOf)
      .flatMap(kindsOf)
      .filter((kind) => kind === 'request-closed');
    expect(closings).toHaveLength(1);
  });

  it('[C6] lets an answer be changed while it is open, by who holds the version', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ questions: 2 });
    const first = cardAt(request, 0);
    await database.store.writes.write(answerWrite(first, { choice: 0 }));

    const changed = await database.store.writes.write(
      answerWrite(first, { choice: 1, version: 2 }),
    );
    const behind = await database.store.writes.write(answerWrite(first, { choice: 0, version: 2 }));

    expect(committedOf(changed).requests[0]?.cards[0]?.settlement?.answer).toEqual({
      choices: [1],
    });
    expect(refusalOf(behind).code).toBe('ALREADY_SETTLED');
  });

  it('[C6] is final once it is closed', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.store.writes.write(answerWrite(card, { choice: 0 }));

    const late = await database.store.writes.write(answerWrite(card, { choice: 1, version: 2 }));

    expect(refusalOf(late).code).toBe('ALREADY_SETTLED');
  });

  it('[C16] counts a skipped card as settled and says that it was skipped', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());

    const skipped = await database.store.writes.write({
      ...answerWrite(card, { choice: 0 }),
      kind: 'settle-card',
      conversationId: card.conversationId,
      cardId: card.id,
      version: card.version,
      decision: { kind: 'skip' },
      deed: aDeed(),
    });

    expect(committedOf(skipped).requests[0]).toMatchObject({
      status: 'closed',
      outcome: 'skipped',
    });
  });
});

describe('what is on the card', () => {
  it('[C15] an answer to an older version of an open card is refused', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.owner.query('update card set version = 2 where id = $1', [card.id]);

    const refusal = refusalOf(await database.store.writes.write(answerWrite(card, { choice: 0 })));

    expect(refusal.code).toBe('STALE_VERSION');
  });

  it('[C15] an answer that names a choice which the card does not have is refused', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());

    const refusal = refusalOf(await database.store.writes.write(answerWrite(card, { choice: 7 })));

    expect(refusal).toMatchObject({
      code: 'INVALID',
      reason: expect.stringContaining('the question has 2'),
    });
  });

  it('[C13] who, when, from which device and with what stays readable', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    const deed = aDeed('Kitchen tablet');
    await database.store.writes.write(answerWrite(card, { choice: 1, deed }));

    const stored = await database.store.reads.card(card.id);

    expect(stored?.card).toMatchObject({
      status: 'answered',
      settlement: { by: deed.by, answer: { choices: [1] }, at: expect.any(Number) },
    });
  });

  it('[S4] the decision is in the audit log with what was shown and the device’s signature', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.store.writes.write(answerWrite(card, { choice: 1, deed: aDeed('Phone') }));

    const { rows } = await database.owner.query(
      'select action, signature, body from audit where card_id = $1',
      [card.id],
    );

    expect(rows).toEqual([
      {
        action: 'card-answered',
        signature: 'signed by Phone',
        body: {
          version: 1,
          shown: card.body,
          decision: { kind: 'answer', answer: { choices: [1] } },
        },
      },
    ]);
  });
});
