import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { MessageId } from '#contracts';
import {
  aDeed,
  answerWrite,
  cardAt,
  committedOf,
  kindsOf,
  newMessageId,
  refusalOf,
  startConversation,
  type TestConversation,
} from '../support/conversation-builders.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

const write: TestDatabase['store']['writes']['write'] = (of) => database.store.writes.write(of);

describe('stopping', () => {
  const stop = ({ id }: TestConversation) =>
    write({ kind: 'stop', conversationId: id, deed: aDeed() });

  it('[C9] cancels what is open', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();

    const stopped = committedOf(await stop(conversation));

    expect(kindsOf(stopped)).toEqual(['request-closed', 'stop-asked']);
    expect(stopped.outbox.map(({ message }) => message.kind)).toEqual(['interrupt']);
  });

  it('[C11] supersedes an answer that is on its way, and takes it out of what is handed out', async () => {
    const conversation = await startConversation(database.store);
    const request = await conversation.ask();
    await write(answerWrite(cardAt(request), { choice: 0 }));

    await stop(conversation);

    const stored = await database.store.reads.request(request.id);
    const outbox = await database.store.link.outbox(
      { conversationId: conversation.id, epoch: 1 },
      0,
      100,
    );
    expect(stored?.request.delivery).toBe('superseded');
    expect(outbox.map(({ message }) => message.kind)).not.toContain('give-answer');
  });
});

describe('messages', () => {
  const send = (conversation: TestConversation, messageId = newMessageId()) =>
    write({
      kind: 'accept-message',
      conversationId: conversation.id,
      messageId,
      text: 'And the dashboards too.',
      deed: aDeed(),
    });
  const finishTurn = (conversation: TestConversation) =>
    conversation.intake({ patch: { turn: 'done' } });

  it('[C17] one that comes while a turn runs waits, and goes out when the turn is over', async () => {
    const conversation = await startConversation(database.store);
    const sent = committedOf(await send(conversation));

    const finished = await finishTurn(conversation);

    expect([sent.conversation.queued, sent.outbox]).toEqual([1, []]);
    expect(finished.outbox.map(({ message }) => message.kind)).toEqual(['send-message']);
  });

  it('[C17] one that comes while a card is open waits for the card', async () => {
    const conversation = await startConversation(database.store);
    await conversation.ask();
    await send(conversation);

    const finished = await finishTurn(conversation);

    expect(finished.outbox).toEqual([]);
  });

  it('[C17] one that waits can be cancelled, and is not sent then', async () => {
    const conversation = await startConversation(database.store);
    const messageId = newMessageId();
    await send(conversation, messageId);
    await write({
      kind: 'cancel-message',
      conversationId: conversation.id,
      messageId,
      deed: aDeed(),
    });

    const finished = await finishTurn(conversation);

    expect([finished.outbox, finished.conversation.queued]).toEqual([[], 0]);
  });

  const cancel = (conversation: TestConversation, messageId: MessageId) =>
    write({
      kind: 'cancel-message',
      conversationId: conversation.id,
      messageId,
      deed: aDeed(),
    });
  /** A message that the relay has been given, and of which nothing has been heard since. */
  async function handedOut(): Promise<[TestConversation, MessageId]> {
    const conversation = await startConversation(database.store);
    await finishTurn(conversation);
    const messageId = newMessageId();
    await send(conversation, messageId);
    return [conversation, messageId];
  }

  it('[C17] one that was handed out and not picked up can be cancelled: the relay is to let go of it', async () => {
    const [conversation, messageId] = await handedOut();

    const cancelled = committedOf(await cancel(conversation, messageId));

    expect(kindsOf(cancelled)).toEqual(['message-cancelled']);
    expect(cancelled.outbox.map(({ message }) => message.kind)).toEqual(['interrupt']);
  });

  it('[C17] one that was picked up can not be cancelled', async () => {
    const [conversation, messageId] = await handedOut();
    await conversation.intake({ pickedUp: messageId });

    expect(refusalOf(await cancel(conversation, messageId)).code).toBe('ALREADY_PICKED_UP');
  });

  it('[C17] one whose turn runs already is with the agent, whatever was said of it', async () => {
    const [conversation, messageId] = await handedOut();
    await conversation.intake({ patch: { turn: 'running' } });

    expect(refusalOf(await cancel(conversation, messageId)).code).toBe('ALREADY_PICKED_UP');
  });

  it('[C17] one that the agent had when it was cancelled is told as picked up', async () => {
    const [conversation, messageId] = await handedOut();
    await cancel(conversation, messageId);

    const said = await conversation.intake({ pickedUp: messageId });

    expect(kindsOf(said)).toEqual(['message-picked-up']);
  });

  it('[C17] one that is sent again by a device that lost the reply is the same message', async () => {
    const conversation = await startConversation(database.store);
    const messageId = newMessageId();
    await send(conversation, messageId);

    const again = refusalOf(await send(conversation, messageId));

    expect(again).toEqual({ code: 'DUPLICATE_MESSAGE', conversationId: conversation.id });
  });

  it('[quality] one that has the name of another that waits is refused, and the first stays as it is', async () => {
    const conversation = await startConversation(database.store);
    const messageId = newMessageId();
    await send(conversation, messageId);

    const refusal = refusalOf(
      await write({
        kind: 'accept-message',
        conversationId: conversation.id,
        messageId,
        text: 'Something else.',
        deed: aDeed(),
      }),
    );

    const { page } = (await database.store.reads.open(conversation.id, 0)) ?? {};
    expect(refusal.code).toBe('INVALID');
    expect(page?.queue.map(({ text }) => text)).toEqual(['And the dashboards too.']);
  });

  it('[C17] one that another conversation has is not taken', async () => {
    const [one, other] = await Promise.all([
      startConversation(database.store),
      startConversation(database.store),
    ]);
    const messageId = newMessageId();

    const results = await Promise.all([send(one, messageId), send(other, messageId)]);

    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });
});
