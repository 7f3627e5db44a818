import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type { CardRequest } from '#contracts';
import {
  aDeed,
  answerWrite,
  cardAt,
  refusalOf,
  startConversation,
} from '../support/conversation-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

describe('a clock that ran on while nobody saw it', () => {
  /** The deadline of a request, in minutes from now. */
  const minutesLeft = async (request: CardRequest): Promise<number> => {
    const stored = await database.store.reads.request(request.id);
    if (stored === undefined) throw new Error('the request is gone');
    return Math.round((stored.request.deadlineAt - (await database.store.reads.now())) / MINUTE_MS);
  };
  const wake = (): Promise<number | undefined> => database.store.writes.watchClock();

  beforeEach(async () => {
    await database.moveClock(20 * HOUR_MS);
    await database.store.writes.expireDue(1_000);
    await database.moveClock(0);
  });
  afterEach(() => database.moveClock(20 * HOUR_MS));

  it('[C7] a card that fell due in a sleep takes an answer before any hub has looked', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.stepClock(9 * HOUR_MS);

    const result = await database.store.writes.write(answerWrite(card, { choice: 0 }));

    expect(result.ok).toBe(true);
  });

  it('[C7] a card that fell due in a sleep is not closed by a sweep that comes before the look', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();
    await database.stepClock(9 * HOUR_MS);

    expect(await database.store.writes.expireDue(10)).toEqual([]);
  });

  it('[C7] a card that fell due in a sleep has ten minutes from the first look', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.stepClock(9 * HOUR_MS);

    expect([await wake(), await minutesLeft(request)]).toEqual([1, 10]);
  });

  it('[C7] a card with two minutes left has ten after a sleep', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.stepClock(8 * HOUR_MS - 2 * MINUTE_MS);
    await wake();

    expect(await minutesLeft(request)).toBe(10);
  });

  it('[C7] a card with hours left keeps its deadline', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.stepClock(2 * HOUR_MS);

    expect([await wake(), await minutesLeft(request)]).toEqual([0, 6 * 60]);
  });

  it('[C7] a deadline that had passed before the sleep stays passed', async () => {
    const conversation = await startConversation(database.store);
    const card = cardAt(await conversation.ask());
    await database.moveClock(8 * HOUR_MS + 1);
    await database.stepClock(9 * HOUR_MS);

    const late = await database.store.writes.write(answerWrite(card, { choice: 0 }));

    expect([refusalOf(late).code, await wake()]).toEqual(['DEADLINE_PASSED', 0]);
  });

  it('[C7] a pause of less than a minute gives nothing', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.moveClock(8 * HOUR_MS - 30_000);
    await database.stepClock(8 * HOUR_MS + 20_000);

    expect(await wake()).toBeUndefined();
    const [expired] = await database.store.writes.expireDue(10);
    expect(expired?.requests).toEqual([expect.objectContaining({ id: request.id })]);
  });

  it('[C7] a clock set back by more than a minute leaves ten minutes at least', async () => {
    await database.moveClock(2 * HOUR_MS);
    const conversation = await startConversation(database.store);
    const request = await conversation.ask({ waits: HOUR_MS });
    await database.moveClock(3 * HOUR_MS - 2 * MINUTE_MS);
    await database.stepClock(3 * HOUR_MS - 7 * MINUTE_MS);

    expect([await wake(), await minutesLeft(request)]).toEqual([1, 10]);
  });

  it('[C7] the card stays as it was shown, and says that it was given time', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.stepClock(9 * HOUR_MS);
    await wake();

    const stored = await database.store.reads.request(request.id);

    expect(stored?.request).toMatchObject({
      version: request.version + 1,
      timeGivenAt: expect.any(Number),
      cards: [{ version: cardAt(request).version }],
    });
  });

  it('[C7] the log and the audit say that the hub moved the deadline', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();
    const later = await conversation.ask();
    await database.stepClock(9 * HOUR_MS);
    await wake();
    // The next event finds its number free.
    await database.store.writes.write(answerWrite(cardAt(later), { choice: 0 }));

    const opened = await database.store.reads.open(conversation.id, 0);
    const { rows } = await database.owner.query(
      `select body from audit where action = 'time-given' order by id desc limit 1`,
    );
    const kinds = opened?.page.events.map(({ n, body }) => [n, body.kind]).slice(-4);
    const n = (opened?.page.conversation.lastEventN ?? 0) - 3;
    expect(kinds).toEqual([
      [n, 'deadline-extended'],
      [n + 1, 'deadline-extended'],
      [n + 2, 'card-settled'],
      [n + 3, 'request-closed'],
    ]);
    expect(rows[0]?.body).toMatchObject({ requests: 2 });
  });

  it('[C7] of two hubs that wake one gives the time', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();
    await database.stepClock(9 * HOUR_MS);

    expect((await Promise.all([wake(), wake()])).sort()).toEqual([1, undefined]);
  });

  it('[C7] more time asked for right after a sleep counts from now', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.stepClock(12 * HOUR_MS);
    await database.store.writes.write({
      kind: 'extend-deadline',
      conversationId: conversation.id,
      requestId: request.id,
      by: HOUR_MS,
      deed: aDeed(),
    });

    expect(await minutesLeft(request)).toBe(60);
  });
});
