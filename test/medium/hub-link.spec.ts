import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type RelayMessage, type StoredEvent } from '#contracts';
import { aQuestion } from '../support/card-builders.js';
import { FakeRelay } from '../support/fake-relay.js';
import { said, PROVIDER, useLinkedHub } from '../support/linked-hub.js';

const linked = useLinkedHub();

/** Sends envelopes as they are, past the relay's own numbering. */
function sendRaw(...messages: unknown[]): void {
  linked.hub.relay.socket?.emit('messages', { messages: messages as never });
}

const numbered = (n: number, message: unknown, more: object = {}): unknown => ({
  conversationId: linked.conversation.id,
  epoch: 1,
  n,
  message,
  ...more,
});

const numbers = (events: readonly StoredEvent[]): number[] => events.map(({ n }) => n);

describe('numbers on the link', () => {
  it('[link.1] messages are committed in order and acknowledged cumulatively', async () => {
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('a'), said('b'), said('c'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['a', 'b', 'c']);
  });

  it('[link.1] a message that came before is acknowledged again and stored once', async () => {
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('a'));
    linked.hub.relay.receipts.clear();
    sendRaw(numbered(1, said('a')), numbered(1, said('a')));
    await linked.hub.relay.acknowledgedUpTo(linked.conversation.id, 1);
    expect(await linked.texts(linked.conversation.id)).toEqual(['a']);
  });

  it('[link.1] after a gap the hub says how far it has come, and stores nothing beyond', async () => {
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('a'));
    linked.hub.relay.receipts.clear();
    sendRaw(numbered(3, said('c')));
    const receipt = await linked.hub.relay.receipts.until(({ upTo }) => upTo.length > 0);
    expect(receipt.upTo).toEqual([{ conversationId: linked.conversation.id, epoch: 1, n: 1 }]);
    sendRaw(numbered(2, said('b')), numbered(3, said('c')));
    await linked.hub.relay.acknowledgedUpTo(linked.conversation.id, 3);
    expect(await linked.texts(linked.conversation.id)).toEqual(['a', 'b', 'c']);
  });

  it('[link.1] what a relay missed while it was away is sent when it attaches', async () => {
    linked.hub.relay.close();
    const late = { messageId: randomUUID(), text: 'While you were away' };
    await linked.phone.post(`/api/conversations/${linked.conversation.id}/messages`, late);
    await linked.phone.post(`/api/conversations/${linked.conversation.id}/stop`);
    await linked.hub.relay.attach(linked.hub.url);
    await linked.hub.relay.hear(linked.conversation.id, 'interrupt');
    const mine = linked.hub.relay.heard.all.filter(
      (one) => one.conversationId === linked.conversation.id,
    );
    expect(mine.map(({ n }) => n)).toEqual(mine.map((_, index) => index + 1));
  });

  it('[link.1] what was not acknowledged is sent again', async () => {
    linked.hub.relay.acknowledges = false;
    await linked.phone.post(`/api/conversations/${linked.conversation.id}/stop`);
    await linked.hub.relay.hear(linked.conversation.id, 'interrupt');
    linked.hub.relay.close();
    linked.hub.relay.journalOf(linked.conversation.id).received -= 1;
    linked.hub.relay.heard.clear();
    await linked.hub.relay.attach(linked.hub.url);
    await linked.hub.relay.hear(linked.conversation.id, 'interrupt');
    expect(linked.hub.relay.heard.all.map(({ n }) => n)).toEqual([
      linked.hub.relay.journalOf(linked.conversation.id).received,
    ]);
  });

  it('[link.1] what the relay has when it attaches is kept for it no longer', async () => {
    linked.hub.relay.acknowledges = false;
    const { id } = await linked.phone.start({ relayId: linked.hub.relay.id, provider: PROVIDER });
    await linked.hub.relay.hear(id, 'send-message');
    linked.hub.relay.close();
    await linked.hub.relay.attach(linked.hub.url);
    const kept = async (): Promise<number> => {
      const text = 'select 1 from outbox where conversation_id = $1';
      return (await linked.database.owner.query(text, [id])).rows.length;
    };
    while ((await kept()) > 0) await nextTurn();
    linked.hub.relay.acknowledges = true;
    expect(await kept()).toBe(0);
  });

  it('[link.1] a relay that attaches is told from which number on it can be given what it lacks', async () => {
    const { owner } = linked.database;
    linked.hub.relay.close();
    const at = async (): Promise<unknown> => {
      const { conversations } = await linked.hub.relay.attach(linked.hub.url);
      linked.hub.relay.close();
      return conversations.find((one) => one.conversationId === linked.conversation.id);
    };
    await owner.query(`delete from outbox where conversation_id = $1`, [linked.conversation.id]);
    const head = `update conversation_head set sent_n = 9 where conversation_id = $1`;
    await owner.query(head, [linked.conversation.id]);
    expect(await at()).toMatchObject({ sent: 9, firstKept: 10 });
    await owner.query(
      `insert into outbox (conversation_id, epoch, n, relay_id, message)
       values ($1, 1, 9, $2, '{"kind": "interrupt"}')`,
      [linked.conversation.id, linked.hub.relay.id],
    );
    expect(await at()).toMatchObject({ sent: 9, firstKept: 9 });
  });

  it('[link.1] a hub that was restarted goes on at the same numbers', async () => {
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('before'));
    await linked.hub.restart();
    await linked.phone.connect();
    const { conversations } = await linked.hub.relay.attach(linked.hub.url);
    const cursor = conversations.find((one) => one.conversationId === linked.conversation.id);
    expect(cursor).toMatchObject({ epoch: 1, received: 1, stale: false });
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('after'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['before', 'after']);
  });

  it('[link.2] a message of an epoch that is over is refused', async () => {
    sendRaw(numbered(1, said('a'), { epoch: 7 }));
    const receipt = await linked.hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]).toMatchObject({ n: 1, code: 'STALE_EPOCH' });
  });

  it("[link.2] another relay's conversation is not taken, and is stale when it attaches", async () => {
    const other = new FakeRelay();
    await linked.database.store.relays.ensure({ name: 'Other', publicKey: other.publicKey });
    other.journalOf(linked.conversation.id).sent = 3;
    const { conversations } = await other.attach(linked.hub.url);
    expect(conversations).toEqual([
      { conversationId: linked.conversation.id, epoch: 1, sent: 0, received: 0, stale: true },
    ]);
    other.send(linked.conversation.id, said('mine now'));
    const receipt = await other.receipts.until(({ refused }) => refused.length > 0);
    other.close();
    expect(receipt.refused[0]?.code).toBe('STALE_EPOCH');
  });

  it('[link.3] what a snapshot does not name stays open; what it calls detached is marked', async () => {
    const named = linked.hub.relay.ask(linked.conversation.id);
    const request = await linked.phone.hearRequest(linked.conversation.id);
    await linked.hub.relay.sendAndSettle(linked.conversation.id, {
      kind: 'snapshot',
      process: 'live',
      requests: [],
    });
    const still = await linked.phone.open(linked.conversation.id);
    expect(still).toMatchObject({ page: { requests: [{ id: request.id, status: 'open' }] } });
    linked.hub.relay.send(linked.conversation.id, {
      kind: 'snapshot',
      process: 'asleep',
      requests: [{ toolCallId: named, state: 'detached' }],
    });
    const marked = await linked.phone.hear('inbox', ({ entries }) =>
      entries.some((entry) => entry.request.id === request.id && entry.request.detached),
    );
    expect(marked.closed).toEqual([]);
  });

  it('[C12] the same call again is the same request', async () => {
    const toolCallId = linked.hub.relay.ask(linked.conversation.id);
    await linked.phone.hearRequest(linked.conversation.id);
    const again: RelayMessage = { kind: 'ask', toolCallId, questions: [aQuestion()] };
    await linked.hub.relay.sendAndSettle(linked.conversation.id, again);
    const opened = await linked.phone.open(linked.conversation.id);
    expect(opened).toMatchObject({ page: { requests: [{ toolCallId }] } });
  });
});

describe('what the hub refuses on the link', () => {
  it('[link.6] a message that is not one is refused by its number; other conversations go on', async () => {
    const other = await linked.phone.start({ relayId: linked.hub.relay.id, provider: PROVIDER });
    sendRaw(numbered(1, { kind: 'ask', toolCallId: '', questions: [] }));
    await linked.hub.relay.sendAndSettle(other.id, said('unharmed'));
    const receipt = await linked.hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]).toMatchObject({ n: 1, code: 'INVALID' });
    expect(receipt.refused[0]?.reason).toContain('message.toolCallId');
  });

  it.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('[link.6] %s is refused, and a tombstone takes its place', async (_what, text) => {
    sendRaw(numbered(1, said(text)));
    await linked.hub.relay.receipts.until(({ refused }) => refused.some(({ n }) => n === 1));
    sendRaw(numbered(1, { kind: 'tombstone', what: 'agent-events', reason: 'unstorable' }));
    await linked.hub.relay.acknowledgedUpTo(linked.conversation.id, 1);
    const opened = await linked.phone.open(linked.conversation.id);
    const kinds = opened.kind === 'refused' ? [] : opened.page.events.map(({ body }) => body.kind);
    expect(kinds).toContain('tombstone');
  });

  it('[link.6] ten thousand options are refused and nothing opens', async () => {
    const options = Array.from({ length: 10_000 }, (_, i) => ({ label: `Option ${i}` }));
    sendRaw(
      numbered(1, { kind: 'ask', toolCallId: 'toolu_many', questions: [aQuestion({ options })] }),
    );
    const receipt = await linked.hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]?.reason).toContain('options');
    expect(await linked.phone.open(linked.conversation.id)).toMatchObject({
      page: { requests: [] },
    });
  });

  it('[link.6] a question of a megabyte is refused and nothing opens', async () => {
    const question = aQuestion({ question: 'x'.repeat(1024 * 1024) });
    sendRaw(numbered(1, { kind: 'ask', toolCallId: 'toolu_long', questions: [question] }));
    const receipt = await linked.hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]?.code).toBe('INVALID');
  });

  it('[quality] nonsense in place of frames harms nobody', async () => {
    const { socket } = linked.hub.relay;
    if (socket === undefined) throw new Error('not attached');
    for (const event of [
      'messages',
      'acknowledged',
      'deltas',
      'provider-status',
      'hello',
      'attach',
    ]) {
      for (const nonsense of [null, 7, 'x', [], { messages: [null, 7, {}] }]) {
        Reflect.apply(socket.emit, socket, [event, nonsense]);
      }
    }
    await linked.hub.relay.sendAndSettle(linked.conversation.id, said('still here'));
    expect(await linked.texts(linked.conversation.id)).toEqual(['still here']);
  });
});

describe('order', () => {
  it('[D3] a hundred blocks of one conversation keep their order and their numbers', async () => {
    const blocks = Array.from({ length: 100 }, (_, i) => `block ${i}`);
    await linked.hub.relay.sendAndSettle(linked.conversation.id, ...blocks.map(said));
    expect(await linked.texts(linked.conversation.id)).toEqual(blocks);
    const opened = await linked.phone.open(linked.conversation.id);
    const ns = opened.kind === 'refused' ? [] : numbers(opened.page.events);
    expect(ns).toEqual(ns.map((_, index) => (ns[0] ?? 0) + index));
  });
});
