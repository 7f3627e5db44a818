import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { WriteResult } from '#domain';
import {
  answerWrite,
  cardAt,
  refusalOf,
  startConversation,
} from '../support/conversation-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

const HOUR_MS = 3_600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

/**
 * Answers an open card, and does something behind the hub's back after the hub has read the card and decided, and before
 * its statement runs: the statement alone can notice.
 */
async function answerWhile(
  meanwhile: (owner: pg.ClientBase, of: { cardId: string; requestId: string }) => Promise<unknown>,
): Promise<WriteResult> {
  const conversation = await startConversation(database.store);
  const card = cardAt(await conversation.ask());
  const owner = await database.owner.connect();
  try {
    await owner.query('begin');
    // Lets everybody read and nobody write.
    await owner.query('lock table card in exclusive mode');
    const answered = database.store.writes.write(answerWrite(card, { choice: 0 }));
    await somebodyWaits(owner);
    await meanwhile(owner, { cardId: card.id, requestId: card.requestId });
    await owner.query('commit');
    return await answered;
  } finally {
    owner.release();
  }
}

async function somebodyWaits(owner: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rowCount } = await owner.query(
      `select from pg_locks where not granted and relation = 'card'::regclass`,
    );
    if (rowCount !== 0) return;
    await delay(5);
  }
}

describe('the statement that settles, by itself', () => {
  it('[C7] refuses an answer whose deadline passed while it was on its way', async () => {
    const result = await answerWhile(() => database.moveClock(9 * HOUR_MS));

    await database.moveClock(0);
    expect(refusalOf(result).code).toBe('DEADLINE_PASSED');
  });

  it('[C15] refuses an answer to a card that changed while it was on its way', async () => {
    const result = await answerWhile((owner, { cardId }) =>
      owner.query('update card set version = 2 where id = $1', [cardId]),
    );

    expect(refusalOf(result).code).toBe('STALE_VERSION');
  });

  it('[C10] refuses an answer to a request that was closed while it was on its way', async () => {
    const result = await answerWhile((owner, { requestId }) =>
      owner.query(`update request set status = 'closed', outcome = 'cancelled' where id = $1`, [
        requestId,
      ]),
    );

    expect(refusalOf(result).code).toBe('ALREADY_SETTLED');
  });

  it('[C10] takes an answer that nothing came in the way of', async () => {
    expect((await answerWhile(() => Promise.resolve())).ok).toBe(true);
  });
});
