import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  ConversationId,
  ProviderId,
  RelayId,
  TurnId,
  type EventBody,
  type PersonId,
} from '#contracts';
import { StoreUnavailable, type Write } from '#domain';
import { openStore } from '#persistence';
import {
  aDeed,
  answerWrite,
  cardAt,
  newMessageId,
  refusalOf,
  startConversation,
} from '../support/conversation-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

const turnId = TurnId.parse('00000000-0000-4000-8000-000000000001');
const text = (words: string): EventBody => ({ kind: 'text', turnId, blockId: 'b', text: words });
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

describe('a write that can not be stored', () => {
  it.each([
    ['U+0000', 'a\0b'],
    ['half of a surrogate pair', 'a\ud83d'],
  ])('[link.6] with %s is refused by its field, before it reaches the others', async (_, words) => {
    const conversation = await startConversation(database.store);

    const refusal = refusalOf(
      await database.store.writes.write(conversation.intakeWrite({ events: [text(words)] })),
    );

    expect(refusal).toMatchObject({
      code: 'UNSTORABLE',
      reason: expect.stringContaining('effect.events.0.text'),
    });
  });

  it('[link.6] that only PostgreSQL refuses does not hurt the writes beside it', async () => {
    const conversation = await startConversation(database.store);
    const before = database.store.writes.write(
      conversation.intakeWrite({ events: [text('before')] }),
    );
    const bad = database.store.writes.write(creationOnRelay(RelayId.parse(randomUUID())));
    const after = database.store.writes.write(
      conversation.intakeWrite({ events: [text('after')] }),
    );

    const results = await Promise.all([before, bad, after]);

    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    expect(refusalOf(await bad)).toMatchObject({
      code: 'UNSTORABLE',
      reason: expect.stringMatching(/relay_id_fkey/),
    });
  });

  it('[link.6] tells nothing of what is in the row', async () => {
    const relayId = RelayId.parse(randomUUID());

    const refusal = refusalOf(await database.store.writes.write(creationOnRelay(relayId)));

    expect(JSON.stringify(refusal)).not.toContain(relayId);
  });

  let owner: PersonId;
  beforeAll(async () => {
    owner = await database.store.devices.owner();
  });

  function creationOnRelay(relayId: RelayId): Write {
    return {
      kind: 'create-conversation',
      conversation: {
        id: ConversationId.parse(randomUUID()),
        personId: owner,
        relayId,
        provider: ProviderId.parse('scripted'),
        folder: '/home/somebody',
        title: 'On no relay',
        mode: 'autopilot',
      },
      firstMessage: { messageId: newMessageId(), text: 'Hello' },
      deed: aDeed(),
    };
  }
});

describe('two hubs over one database', () => {
  it('[C10] of two hubs that take two answers to each of 100 cards, one takes each', async () => {
    const second = await openStore({ address: database.addresses.app });
    try {
      const conversations = await Promise.all(
        Array.from({ length: 100 }, () => startConversation(database.store)),
      );
      const cards = await Promise.all(conversations.map(async (one) => cardAt(await one.ask())));

      const [first, other] = await Promise.all(
        [database.store, second].map((store, choice) =>
          // The second in the opposite order, which would deadlock if the heads were locked as they come.
          Promise.all(
            (choice === 0 ? cards : cards.toReversed()).map((card) =>
              store.writes.write(answerWrite(card, { choice })),
            ),
          ),
        ),
      );

      const winners = cards.map((_, index) => [
        first?.[index]?.ok,
        other?.[cards.length - 1 - index]?.ok,
      ]);
      expect(winners.filter(([one, two]) => one === two)).toEqual([]);
    } finally {
      await second.close();
    }
  });

  it('[link.1] events of both get one row of numbers', async () => {
    const second = await openStore({ address: database.addresses.app });
    try {
      const conversation = await startConversation(database.store);
      const rename = (title: string): Write => ({
        kind: 'rename',
        conversationId: conversation.id,
        title,
        deed: aDeed(),
      });

      await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 === 0 ? database.store : second).writes.write(rename(`Title ${index}`)),
        ),
      );

      const page = (await database.store.reads.open(conversation.id, 2))?.page;
      expect(page?.events.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n + 3));
    } finally {
      await second.close();
    }
  });
});

describe('a restart of PostgreSQL', () => {
  const onOwnServer = process.env['TEST_DATABASE_URL'] === undefined ? it : it.skip;

  onOwnServer('[stack] is told to who writes meanwhile, as something to try again', async () => {
    const conversation = await startConversation(database.store);
    const attempts: Promise<unknown>[] = [];
    let restarting = true;
    const restarted = database.restart?.().finally(() => (restarting = false));

    while (restarting) {
      const attempt = database.store.writes
        .write({
          kind: 'rename',
          conversationId: conversation.id,
          title: `T${attempts.length}`,
          deed: aDeed(),
        })
        .then(
          () => 'stored',
          (error: unknown) => (error instanceof StoreUnavailable ? 'unavailable' : error),
        );
      attempts.push(attempt);
      await attempt;
    }
    await restarted;

    const outcomes = new Set(await Promise.all(attempts));
    outcomes.delete('stored');
    expect([...outcomes]).toEqual(['unavailable']);
  });

  onOwnServer('[stack] loses nothing, and the next write goes through', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.restart?.();

    const answered = await database.store.writes.write(answerWrite(card, { choice: 0 }));

    expect(answered.ok).toBe(true);
  });
});
