import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type ConversationId,
  DeviceId,
  LIMITS,
  PersonId,
  type BoardPage,
  type EventBody,
} from '#contracts';
import { randomUUID } from 'node:crypto';
import {
  aDeed,
  answerWrite,
  cardAt,
  committedOf,
  newMessageId,
  startConversation,
} from '../support/conversation-builders.js';
import { seededId, seedManyRows } from '../support/many-rows.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

const HOUR_MS = 3_600_000;
const seededPerson = PersonId.parse(seededId(1, 1));
const note = (text: string): EventBody => ({
  kind: 'notice',
  severity: 'info',
  code: 'test',
  params: {},
  text,
});
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await seedManyRows(database.owner, { conversations: 100, eventsEach: 5, openEvery: 10 });
});
afterAll(() => database.remove());

describe('the inbox', () => {
  it('[D1] has every open request, nearest deadline first', async () => {
    const { entries } = await database.store.reads.inbox(seededPerson);

    const deadlines = entries.map(({ request }) => request.deadlineAt);
    expect(deadlines).toHaveLength(10);
    expect(deadlines).toEqual([...deadlines].sort((a, b) => a - b));
  });

  it('[D1] has a request from its opening to its last answer', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    const ids = async () =>
      (await database.store.reads.inbox(conversation.personId)).entries.map(
        (entry) => entry.request.id,
      );
    const open = await ids();

    await database.store.writes.write(answerWrite(cardAt(request), { choice: 0 }));

    expect([open.includes(request.id), (await ids()).includes(request.id)]).toEqual([true, false]);
  });

  it('[D1] says what of its conversation a card shows', async () => {
    const conversation = await startConversation(database.store, { title: 'Invoices' });
    const request = await conversation.ask();

    const { entries } = await database.store.reads.inbox(conversation.personId);

    expect(entries.find((entry) => entry.request.id === request.id)?.conversation).toEqual({
      id: conversation.id,
      title: 'Invoices',
      provider: 'scripted',
      relayId: conversation.relayId,
      folder: '/home/somebody/project',
      mode: { mode: 'autopilot', version: 1, acknowledgedVersion: 0 },
    });
  });
});

describe('the board', () => {
  const page = (more: Partial<Parameters<TestDatabase['store']['reads']['board']>[0]>) =>
    database.store.reads.board({ personId: seededPerson, archived: false, limit: 30, ...more });

  it('[D2] comes in pages that hold every conversation once, newest first', async () => {
    const pages: BoardPage[] = [await page({})];
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
      pages.push(await page({ after: next }));
    }

    const rows = pages.flatMap(({ conversations }) => conversations);
    const times = rows.map(({ lastEventAt }) => lastEventAt);
    expect(pages.map(({ conversations }) => conversations.length)).toEqual([30, 30, 20]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(80);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it('[D2] tells how many there are, and keeps the archived ones apart', async () => {
    const [board, archive] = [await page({}), await page({ archived: true })];

    expect([board.total, archive.total]).toEqual([80, 20]);
  });

  it('[D2] finds by title, folder or last line, without regard to case', async () => {
    const found = await page({ search: 'CONVERSATION 42' });

    expect(found.conversations.map(({ title }) => title)).toEqual(['Conversation 42']);
  });

  it('[D2] takes signs that a search could mistake for its own as they are', async () => {
    expect((await page({ search: '%' })).total).toBe(0);
  });
});

describe('the place of a conversation on the board', () => {
  it('[D2] is not changed by a new title', async () => {
    const conversation = await startConversation(database.store);
    const before = conversation.created.conversation.lastEventAt;
    await database.moveClock(HOUR_MS);
    try {
      const renamed = committedOf(
        await database.store.writes.write({
          kind: 'rename',
          conversationId: conversation.id,
          title: 'Invoices, moved',
          deed: aDeed(),
        }),
      );

      expect(renamed.conversation).toMatchObject({ title: 'Invoices, moved', lastEventAt: before });
    } finally {
      await database.moveClock(0);
    }
  });
});

describe('an open conversation', () => {
  const open = (id: ConversationId, after: number) => database.store.reads.open(id, after);

  it('[link.devices] replays what came after the last event that a device has', async () => {
    const conversation = await startConversation(database.store);
    await conversation.intake({ events: [note('1'), note('2')] });

    const opened = await open(conversation.id, 3);

    expect(opened?.replay).toBe(true);
    expect(opened?.page.events.map(({ n }) => n)).toEqual([4]);
  });

  it('[link.devices] shows the newest blocks where a device is more than 500 events behind', async () => {
    const conversation = await startConversation(database.store);
    for (let sent = 0; sent < 3; sent += 1) {
      await conversation.intake({ events: Array.from({ length: 200 }, (_, n) => note(`${n}`)) });
    }

    const opened = await open(conversation.id, 1);

    expect(opened?.replay).toBe(false);
    expect(opened?.page.events).toHaveLength(LIMITS.replayBlocks);
    expect(opened?.page.events.at(-1)?.n).toBe(602);
    expect(opened?.page.more).toBe(true);
  });

  it('[link.devices] gives the older ones page by page, to the first', async () => {
    const conversation = await startConversation(database.store);
    await conversation.intake({ events: Array.from({ length: 200 }, (_, n) => note(`${n}`)) });
    const seen: number[] = [];

    for (let before = 203, more = true; more;) {
      const older = await database.store.reads.eventsBefore(conversation.id, before, 90);
      seen.unshift(...older.events.map(({ n }) => n));
      before = older.events[0]?.n ?? 0;
      more = older.more;
    }

    expect(seen).toEqual(Array.from({ length: 202 }, (_, n) => n + 1));
  });

  it('[C17] has its queue and what waits in it', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.store.writes.write({
      kind: 'accept-message',
      conversationId: conversation.id,
      messageId: newMessageId(),
      text: 'Later.',
      deed: aDeed(),
    });

    const opened = await open(conversation.id, 0);

    expect(opened?.page.queue.map(({ text }) => text)).toEqual(['Later.']);
    expect(opened?.page.requests.map(({ id }) => id)).toEqual([request.id]);
  });

  it('[D3] is gone once it was deleted, and its cards from the inbox', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await database.store.writes.write({
      kind: 'delete',
      conversationId: conversation.id,
      deed: aDeed(),
    });

    const { entries } = await database.store.reads.inbox(conversation.personId);
    expect(await open(conversation.id, 0)).toBeUndefined();
    expect(entries.map((entry) => entry.request.id)).not.toContain(request.id);
  });
});

describe('recent folders', () => {
  it('[D5] are those of conversations on the relay that is asked for, and of none that was deleted', async () => {
    const [kept, deleted] = [
      await startConversation(database.store),
      await startConversation(database.store),
    ];
    await database.store.writes.write({
      kind: 'delete',
      conversationId: deleted.id,
      deed: aDeed(),
    });
    const toFolder = `update conversation set folder = case id when $1 then '/kept' else '/gone' end where id in ($1, $2)`;
    await database.owner.query(toFolder, [kept.id, deleted.id]);
    const other = await database.store.relays.ensure({ name: 'other', publicKey: 'other' });
    const { reads } = database.store;

    const folders = await reads.recentFolders(kept.personId, kept.relayId, 100);
    const elsewhere = await reads.recentFolders(kept.personId, other, 100);

    expect([folders.includes('/kept'), folders.includes('/gone'), elsewhere]).toEqual([
      true,
      false,
      [],
    ]);
  });
});

describe('devices and links', () => {
  const entry = { by: aDeed().by, action: 'tried', body: {} };
  const spend = (secretHash: string) =>
    database.store.signInLinks.spend(
      secretHash,
      {
        id: DeviceId.parse(randomUUID()),
        name: 'Phone',
        publicKey: { kty: 'EC', crv: 'P-256', x: randomUUID(), y: 'y' },
      },
      { spent: () => entry, usedAgain: entry },
    );

  it('[S1] a sign-in link is spent once, by one of two who try at the same time', async () => {
    const personId = await database.store.devices.owner();
    const link = { secretHash: 'once', personId, purpose: 'pair' as const, lives: HOUR_MS, entry };
    await database.store.signInLinks.add(link);

    const spent = await Promise.all([spend('once'), spend('once')]);

    expect(spent.map(({ kind }) => kind).sort()).toEqual(['already-spent', 'spent']);
  });

  it('[S1] a sign-in link ends by the database’s clock', async () => {
    const personId = await database.store.devices.owner();
    await database.store.signInLinks.add({
      secretHash: 'late',
      personId,
      purpose: 'first',
      lives: HOUR_MS,
      entry,
    });
    await database.moveClock(HOUR_MS + 1);

    const spent = await spend('late');

    await database.moveClock(0);
    expect(spent).toEqual({ kind: 'expired' });
  });

  it('[S1] the owner is made once, by whoever comes first', async () => {
    const owners = await Promise.all(
      Array.from({ length: 5 }, () => database.store.devices.owner()),
    );

    expect(new Set(owners).size).toBe(1);
  });

  it('[link.7] a relay is its key: the same key is the same relay', async () => {
    const first = await database.store.relays.ensure({ name: 'a', publicKey: 'same' });
    const second = await database.store.relays.ensure({ name: 'b', publicKey: 'same' });

    expect(second).toBe(first);
  });

  it('[stack] a setting that is there is not replaced by what would be its first value', async () => {
    await database.store.settings.ensure('key', 'first');

    expect(await database.store.settings.ensure('key', 'second')).toBe('first');
  });
});
