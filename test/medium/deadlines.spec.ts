import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  aDeed,
  answerWrite,
  cardAt,
  committedOf,
  kindsOf,
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
afterEach(async () => {
  await database.store.writes.expireDue(1_000);
  await database.moveClock(0);
});
afterAll(() => database.remove());

describe('the clock that decides', () => {
  it('[C7] app_now() moves within one transaction', async () => {
    const client = await database.owner.connect();
    try {
      await client.query('begin');
      const first = await client.query('select app_now() as at');
      await client.query(`update clock set shift = interval '1 hour'`);
      const second = await client.query('select app_now() as at');
      const moved = second.rows[0].at.getTime() - first.rows[0].at.getTime();
      expect(moved).toBeGreaterThanOrEqual(HOUR_MS);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('[C7] the application can not move it', async () => {
    await expect(database.store.reads.now()).resolves.toEqual(expect.any(Number));
    const { rows } = await database.owner.query(
      `select has_table_privilege($1, 'clock', 'update') as may`,
      [database.store.roles.role],
    );
    expect(rows).toEqual([{ may: false }]);
  });
});

describe('a card that nobody answered in time', () => {
  it('[C7] takes no late answer, though nothing has swept it yet', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.moveClock(8 * HOUR_MS + 1);

    const refusal = refusalOf(await database.store.writes.write(answerWrite(card, { choice: 0 })));

    const stored = await database.store.reads.card(card.id);
    expect([refusal.code, stored?.card.status]).toEqual(['DEADLINE_PASSED', 'open']);
  });

  it('[C7] takes an answer a moment before its deadline', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.moveClock(8 * HOUR_MS - 60_000);

    const result = await database.store.writes.write(answerWrite(card, { choice: 0 }));

    expect(result.ok).toBe(true);
  });

  it('[C8] is closed as expired, and the agent is told that nobody answered', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.moveClock(9 * HOUR_MS);

    const expired = await database.store.writes.expireDue(10);

    const mine = expired.find(({ conversation: { id } }) => id === conversation.id);
    expect(mine?.outbox.map(({ message }) => message)).toEqual([
      expect.objectContaining({ kind: 'give-answer', requestId: request.id, outcome: 'expired' }),
    ]);
  });

  it('[C8] returns the answers that were given, with the open ones named', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ questions: 2 });
    await database.store.writes.write(answerWrite(cardAt(request, 0), { choice: 1 }));
    await database.moveClock(9 * HOUR_MS);

    const expired = await database.store.writes.expireDue(10);

    const told = expired.flatMap(({ outbox }) => outbox).map(({ message }) => message);
    expect(told).toEqual([
      expect.objectContaining({
        cards: [
          expect.objectContaining({ outcome: 'answered', answer: { choices: [1] } }),
          expect.objectContaining({ outcome: 'expired' }),
        ],
      }),
    ]);
  });

  it('[C9] is logged as expired by the hub, apart from skipped and cancelled', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.moveClock(9 * HOUR_MS);
    await database.store.writes.expireDue(10);

    const stored = await database.store.reads.request(request.id);

    expect(stored?.request).toMatchObject({
      outcome: 'expired',
      cards: [{ status: 'expired', settlement: { by: { principal: { kind: 'hub' } } } }],
    });
  });

  it('[C8] that can not be closed keeps no other from being closed and told', async () => {
    const [bad, good] = [
      await startConversation(database.store),
      await startConversation(database.store),
    ];
    const stuck = await bad.ask();
    const request = await good.ask();
    await database.owner.query(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`);
    await database.owner.query(`create trigger refuse before update on request for each row
      when (old.id = '${stuck.id}') execute function refuse()`);
    await database.moveClock(9 * HOUR_MS);
    const told: string[] = [];

    const sweep = database.store.writes.expireDue(10, ({ requests }) => {
      told.push(...requests.map(({ id }) => id));
    });

    await expect(sweep).rejects.toThrow('refused');
    await database.owner.query('drop trigger refuse on request');
    expect(told).toEqual([request.id]);
  });

  it('[C8] is closed also where this version can not read its question, which is shown as text', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    const { id } = cardAt(request);
    await database.owner.query(
      `update card set body = '{"kind": "riddle", "text": "Which?"}' where id = $1`,
      [id],
    );
    const shown = await database.store.reads.card(id);
    await database.moveClock(9 * HOUR_MS);

    const expired = await database.store.writes.expireDue(10);

    expect(shown?.card.body).toMatchObject({
      question: expect.stringContaining('Which?'),
      notes: [{ code: 'unreadable-shown-as-text' }],
    });
    expect(expired.flatMap(({ requests }) => requests).map((one) => one.id)).toContain(request.id);
  });

  it('[C7] is swept once, by whichever hub comes first', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();
    await database.moveClock(9 * HOUR_MS);

    const sweeps = await Promise.all([
      database.store.writes.expireDue(10),
      database.store.writes.expireDue(10),
    ]);

    const closings = sweeps.flat().flatMap(kindsOf);
    expect(closings).toEqual(['request-closed']);
  });
});

describe('the nearest deadline', () => {
  it('[C7] is told as milliseconds from now, and is absent when no card is open', async () => {
    const conversation = await startConversation(database.store);
    const before = await database.store.writes.nextDeadlineIn();
    await conversation.ask({ waits: HOUR_MS });
    await conversation.ask({ waits: 2 * HOUR_MS });

    const next = await database.store.writes.nextDeadlineIn();

    expect(before).toBeUndefined();
    expect(next).toBeGreaterThan(HOUR_MS - 60_000);
    expect(next).toBeLessThanOrEqual(HOUR_MS);
    await database.moveClock(9 * HOUR_MS);
  });
});

describe('more time', () => {
  it('[C7] keeps a card open past its first deadline, with its version unchanged', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    const extended = await database.store.writes.write({
      kind: 'extend-deadline',
      conversationId: conversation.id,
      requestId: request.id,
      by: 4 * HOUR_MS,
      deed: aDeed(),
    });
    await database.moveClock(9 * HOUR_MS);

    const answered = await database.store.writes.write(answerWrite(cardAt(request), { choice: 0 }));

    expect(kindsOf(committedOf(extended))).toEqual(['deadline-extended']);
    expect(answered.ok).toBe(true);
  });

  it('[C7] is audited', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.store.writes.write({
      kind: 'extend-deadline',
      conversationId: conversation.id,
      requestId: request.id,
      by: HOUR_MS,
      deed: aDeed('Phone'),
    });

    const { rows } = await database.owner.query(
      `select actor ->> 'name' as who from audit where conversation_id = $1 and action = 'deadline-extended'`,
      [conversation.id],
    );

    expect(rows).toEqual([{ who: 'Phone' }]);
    await database.moveClock(10 * HOUR_MS);
  });

  it('[C7] is refused where the deadline is the provider’s', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ deadlineOurs: false });

    const refusal = refusalOf(
      await database.store.writes.write({
        kind: 'extend-deadline',
        conversationId: conversation.id,
        requestId: request.id,
        by: HOUR_MS,
        deed: aDeed(),
      }),
    );

    expect(refusal.code).toBe('INVALID');
    await database.moveClock(9 * HOUR_MS);
  });
});
