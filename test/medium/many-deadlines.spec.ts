import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RequestId } from '#contracts';
import { HOT_QUERIES } from '#persistence';
import { seededId, seedManyRows } from '../support/many-rows.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

const HOUR_MS = 3_600_000;
/** The deadline of request `i` is `i` hours after it was made. */
const OPEN = 100_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await seedManyRows(database.owner, { conversations: OPEN, eventsEach: 1, openEvery: 1 });
  await database.owner.query(
    'update request set deadline_at = opened_at + 60 * (deadline_at - opened_at)',
  );
});
afterAll(() => database.remove());

const requests = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => seededId(4, from + i));

/** Sweeps as a hub does, until nothing is due. */
async function sweep(): Promise<RequestId[]> {
  const closed: RequestId[] = [];
  for (;;) {
    const expired = await database.store.writes.expireDue(200);
    if (expired.length === 0) return closed;
    closed.push(...expired.flatMap((committed) => committed.requests.map(({ id }) => id)));
  }
}

describe('with 100,000 open cards', () => {
  it('[C7] those whose deadline has passed expire, and no other', async () => {
    await database.moveClock(450.5 * HOUR_MS);

    const closed = await sweep();

    const { rows } = await database.owner.query(
      `select count(*)::int as open from request where status = 'open'`,
    );
    expect(closed.sort()).toEqual(requests(1, 450));
    expect(rows).toEqual([{ open: OPEN - 450 }]);
  });

  it('[C7] a sleep gives time to those that fell due in it or are near, and to no other', async () => {
    await database.moveClock(500.5 * HOUR_MS);
    await sweep();
    await database.stepClock(799.9 * HOUR_MS);

    const given = await database.store.writes.watchClock();

    const { rows } = await database.owner.query(
      `select id from request where time_given_at is not null order by id`,
    );
    expect(given).toBe(300);
    expect(rows.map(({ id }) => id)).toEqual(requests(501, 800));
  });

  it.each(['due', 'next deadline'] as const)('[C7] %s is asked of the index', async (name) => {
    const text = HOT_QUERIES[name].replace('$1', '200');
    const { rows } = await database.owner.query(`explain ${text}`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('using request_due');
    expect(plan).not.toContain('Seq Scan on request');
  });
});
