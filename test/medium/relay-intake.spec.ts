import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ToolCallId, TurnId, type EventBody } from '#contracts';
import {
  aNewRequest,
  answerWrite,
  cardAt,
  refusalOf,
  startConversation,
  type TestConversation,
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

const write: TestDatabase['store']['writes']['write'] = (of) => database.store.writes.write(of);
const eventsOf = async ({ id }: TestConversation) =>
  (await database.store.reads.open(id, 0))?.page.events.map(({ body }) => body) ?? [];

describe('the numbers of a relay’s messages', () => {
  it('[link.1] a message that comes twice is stored once', async () => {
    const conversation = await startConversation(database.store);
    const once = conversation.intakeWrite({ events: [text('once')] });
    await write(once);

    const again = refusalOf(await write(once));

    expect(again).toEqual({ code: 'DUPLICATE', received: 1 });
    expect((await eventsOf(conversation)).filter(({ kind }) => kind === 'text')).toHaveLength(1);
  });

  it('[link.1] a message that comes twice at the same time is stored once', async () => {
    const conversation = await startConversation(database.store);
    const once = conversation.intakeWrite({ events: [text('once')] });

    const both = await Promise.all([write(once), write(once)]);

    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('[link.1] a message that skips a number is refused, with where to go on', async () => {
    const conversation = await startConversation(database.store);
    await conversation.intake({ events: [text('1')] });

    const refusal = refusalOf(await write(conversation.intakeWrite({}, { n: 3 })));

    expect(refusal).toEqual({ code: 'GAP', received: 1 });
  });

  it('[link.1] events get numbers without gaps, in the order in which they came', async () => {
    const conversation = await startConversation(database.store);
    const words = Array.from({ length: 300 }, (_, index) => String(index));

    await Promise.all(words.map((word) => conversation.intake({ events: [text(word)] })));

    const page = (await database.store.reads.open(conversation.id, 2))?.page;
    expect(page?.events.map(({ n }) => n)).toEqual(words.map((_, index) => index + 3));
    expect(page?.events.map(({ body }) => (body.kind === 'text' ? body.text : ''))).toEqual(words);
  });
});

describe('the fence', () => {
  it('[link.2] a message of an older epoch is refused and changes nothing', async () => {
    const conversation = await startConversation(database.store);
    await database.owner.query(
      'update conversation_head set epoch = 2 where conversation_id = $1',
      [conversation.id],
    );

    const refusal = refusalOf(await write(conversation.intakeWrite({ events: [text('late')] })));

    expect(refusal).toEqual({ code: 'STALE_EPOCH', epoch: 2 });
    expect((await eventsOf(conversation)).map(({ kind }) => kind)).not.toContain('text');
  });

  it('[link.2] a message of a relay that the conversation is not assigned to is refused', async () => {
    const conversation = await startConversation(database.store);
    const stranger = await database.store.relays.ensure({ name: 'other', publicKey: 'other-key' });
    const message = conversation.intakeWrite({ events: [text('mine?')] });
    if (message.kind !== 'intake') throw new Error('expected a relay’s message');

    const refusal = refusalOf(
      await write({ ...message, fence: { ...message.fence, relayId: stranger } }),
    );

    expect(refusal.code).toBe('STALE_EPOCH');
  });
});

describe('a call that is made again', () => {
  it('[C12] with the same id is the same request', async () => {
    const conversation = await startConversation(database.store);
    const first = await conversation.ask({ toolCallId: 'toolu_same' });

    await conversation.intake({ allDetached: true });
    const again = await conversation.ask({ toolCallId: 'toolu_same' });

    expect([again.id, again.detached]).toEqual([first.id, false]);
  });

  it('[C12] with the same id gets the recorded answer', async () => {
    const conversation = await startConversation(database.store);
    const { open, card } = await askAndKeep(conversation, 'toolu_again');
    await write(answerWrite(card, { choice: 1 }));

    const again = await conversation.intake({ open });

    expect(again.outbox.map(({ message }) => message)).toEqual([
      expect.objectContaining({ kind: 'give-answer', toolCallId: 'toolu_again' }),
    ]);
  });

  it('[C12] with a new id and the same questions takes the place of the call that is gone', async () => {
    const conversation = await startConversation(database.store);
    const first = await conversation.ask({ toolCallId: 'toolu_old' });
    await conversation.intake({ allDetached: true });

    const again = await conversation.ask({ toolCallId: 'toolu_new' });

    expect([again.id, again.toolCallId]).toEqual([first.id, 'toolu_new']);
  });

  async function askAndKeep(conversation: TestConversation, toolCallId: string) {
    const open = aNewRequest({ toolCallId });
    const { requests } = await conversation.intake({ open });
    const [request] = requests;
    if (request === undefined) throw new Error('no request opened');
    return { open, card: cardAt(request) };
  }
});

describe('what becomes of a request', () => {
  it('[C9] a call that the client withdrew closes its cards as cancelled', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();

    const ended = await conversation.intake({
      close: { toolCallId: request.toolCallId, outcome: 'cancelled' },
    });

    expect(ended.requests[0]).toMatchObject({
      status: 'closed',
      outcome: 'cancelled',
      delivery: 'none',
    });
  });

  it('[C9] a process that is gone leaves the card open, marked detached', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();

    await conversation.intake({ patch: { process: 'gone' }, allDetached: true });

    const stored = await database.store.reads.request(request.id);
    expect(stored?.request).toMatchObject({ status: 'open', detached: true });
  });

  it('[link.3] a request that a snapshot does not name stays as it is', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();

    await conversation.intake({
      detached: [{ toolCallId: ToolCallId.parse('toolu_other'), detached: true }],
    });

    const stored = await database.store.reads.request(request.id);
    expect(stored?.request).toMatchObject({ status: 'open', detached: false });
  });

  it('[C11] its answer is pending, handed and delivered, and a late report does not take that back', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await write(answerWrite(cardAt(request), { choice: 0 }));
    const report = (delivery: 'handed' | 'delivered') =>
      conversation.intake({ delivery: { requestId: request.id, delivery, possibleRepeat: false } });

    await report('handed');
    await report('delivered');
    await report('handed');

    const stored = await database.store.reads.request(request.id);
    expect(stored?.request.delivery).toBe('delivered');
  });
});
