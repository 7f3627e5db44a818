import { setImmediate as nextTurn } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  TurnId,
  type Conversation,
  type ConversationId,
  type ProviderId,
  type RelayMessage,
  type StoredEvent,
} from '#contracts';
import { aQuestion } from '../support/card-builders.js';
import type { DeviceClient } from '../support/device-client.js';
import { FakeRelay } from '../support/fake-relay.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const PROVIDER = 'scripted' as ProviderId;

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let conversation: Conversation;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  await phone.connect();
}, 60_000);

beforeEach(async () => {
  hub.relay.acknowledges = true;
  if (hub.relay.socket?.connected !== true) await hub.relay.attach(hub.url);
  conversation = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
  await hub.relay.hear(conversation.id, 'send-message');
  hub.relay.receipts.clear();
});

afterAll(async () => {
  await hub.close();
  await database.remove();
});

const turnId = TurnId.parse(randomUUID());
const said = (text: string): RelayMessage => ({
  kind: 'agent-events',
  events: [{ kind: 'text', turnId, blockId: text, text }],
});

/** Sends envelopes as they are, past the relay's own numbering. */
function sendRaw(...messages: unknown[]): void {
  hub.relay.socket?.emit('messages', { messages: messages as never });
}

const numbered = (n: number, message: unknown, more: object = {}): unknown => ({
  conversationId: conversation.id,
  epoch: 1,
  n,
  message,
  ...more,
});

async function texts(id: ConversationId): Promise<string[]> {
  const opened = await phone.open(id);
  if (opened.kind === 'refused') throw new Error(opened.message);
  return opened.page.events.flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));
}

const numbers = (events: readonly StoredEvent[]): number[] => events.map(({ n }) => n);

describe('numbers on the link', () => {
  it('[link.1] messages are committed in order and acknowledged cumulatively', async () => {
    await hub.relay.sendAndSettle(conversation.id, said('a'), said('b'), said('c'));
    expect(await texts(conversation.id)).toEqual(['a', 'b', 'c']);
  });

  it('[link.1] a message that came before is acknowledged again and stored once', async () => {
    await hub.relay.sendAndSettle(conversation.id, said('a'));
    hub.relay.receipts.clear();
    sendRaw(numbered(1, said('a')), numbered(1, said('a')));
    await hub.relay.acknowledgedUpTo(conversation.id, 1);
    expect(await texts(conversation.id)).toEqual(['a']);
  });

  it('[link.1] after a gap the hub says how far it has come, and stores nothing beyond', async () => {
    await hub.relay.sendAndSettle(conversation.id, said('a'));
    hub.relay.receipts.clear();
    sendRaw(numbered(3, said('c')));
    const receipt = await hub.relay.receipts.until(({ upTo }) => upTo.length > 0);
    expect(receipt.upTo).toEqual([{ conversationId: conversation.id, epoch: 1, n: 1 }]);
    sendRaw(numbered(2, said('b')), numbered(3, said('c')));
    await hub.relay.acknowledgedUpTo(conversation.id, 3);
    expect(await texts(conversation.id)).toEqual(['a', 'b', 'c']);
  });

  it('[link.1] what a relay missed while it was away is sent when it attaches', async () => {
    hub.relay.close();
    const late = { messageId: randomUUID(), text: 'While you were away' };
    await phone.post(`/api/conversations/${conversation.id}/messages`, late);
    await phone.post(`/api/conversations/${conversation.id}/stop`);
    await hub.relay.attach(hub.url);
    await hub.relay.hear(conversation.id, 'interrupt');
    const mine = hub.relay.heard.all.filter((one) => one.conversationId === conversation.id);
    expect(mine.map(({ n }) => n)).toEqual(mine.map((_, index) => index + 1));
  });

  it('[link.1] what was not acknowledged is sent again', async () => {
    hub.relay.acknowledges = false;
    await phone.post(`/api/conversations/${conversation.id}/stop`);
    await hub.relay.hear(conversation.id, 'interrupt');
    hub.relay.close();
    hub.relay.journalOf(conversation.id).received -= 1;
    hub.relay.heard.clear();
    await hub.relay.attach(hub.url);
    await hub.relay.hear(conversation.id, 'interrupt');
    expect(hub.relay.heard.all.map(({ n }) => n)).toEqual([
      hub.relay.journalOf(conversation.id).received,
    ]);
  });

  it('[link.1] what the relay has when it attaches is kept for it no longer', async () => {
    hub.relay.acknowledges = false;
    const { id } = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
    await hub.relay.hear(id, 'send-message');
    hub.relay.close();
    await hub.relay.attach(hub.url);
    const kept = async (): Promise<number> => {
      const text = 'select 1 from outbox where conversation_id = $1';
      return (await database.owner.query(text, [id])).rows.length;
    };
    while ((await kept()) > 0) await nextTurn();
    hub.relay.acknowledges = true;
    expect(await kept()).toBe(0);
  });

  it('[link.1] a relay that attaches is told from which number on it can be given what it lacks', async () => {
    const { owner } = database;
    hub.relay.close();
    const at = async (): Promise<unknown> => {
      const { conversations } = await hub.relay.attach(hub.url);
      hub.relay.close();
      return conversations.find((one) => one.conversationId === conversation.id);
    };
    await owner.query(`delete from outbox where conversation_id = $1`, [conversation.id]);
    const head = `update conversation_head set sent_n = 9 where conversation_id = $1`;
    await owner.query(head, [conversation.id]);
    expect(await at()).toMatchObject({ sent: 9, firstKept: 10 });
    await owner.query(
      `insert into outbox (conversation_id, epoch, n, relay_id, message)
       values ($1, 1, 9, $2, '{"kind": "interrupt"}')`,
      [conversation.id, hub.relay.id],
    );
    expect(await at()).toMatchObject({ sent: 9, firstKept: 9 });
  });

  it('[link.1] a hub that was restarted goes on at the same numbers', async () => {
    await hub.relay.sendAndSettle(conversation.id, said('before'));
    await hub.restart();
    await phone.connect();
    const { conversations } = await hub.relay.attach(hub.url);
    const cursor = conversations.find((one) => one.conversationId === conversation.id);
    expect(cursor).toMatchObject({ epoch: 1, received: 1, stale: false });
    await hub.relay.sendAndSettle(conversation.id, said('after'));
    expect(await texts(conversation.id)).toEqual(['before', 'after']);
  });

  it('[link.2] a message of an epoch that is over is refused', async () => {
    sendRaw(numbered(1, said('a'), { epoch: 7 }));
    const receipt = await hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]).toMatchObject({ n: 1, code: 'STALE_EPOCH' });
  });

  it("[link.2] another relay's conversation is not taken, and is stale when it attaches", async () => {
    const other = new FakeRelay();
    await database.store.relays.ensure({ name: 'Other', publicKey: other.publicKey });
    other.journalOf(conversation.id).sent = 3;
    const { conversations } = await other.attach(hub.url);
    expect(conversations).toEqual([
      { conversationId: conversation.id, epoch: 1, sent: 0, received: 0, stale: true },
    ]);
    other.send(conversation.id, said('mine now'));
    const receipt = await other.receipts.until(({ refused }) => refused.length > 0);
    other.close();
    expect(receipt.refused[0]?.code).toBe('STALE_EPOCH');
  });

  it('[link.3] what a snapshot does not name stays open; what it calls detached is marked', async () => {
    const named = hub.relay.ask(conversation.id);
    const request = await phone.hearRequest(conversation.id);
    await hub.relay.sendAndSettle(conversation.id, {
      kind: 'snapshot',
      process: 'live',
      requests: [],
    });
    const still = await phone.open(conversation.id);
    expect(still).toMatchObject({ page: { requests: [{ id: request.id, status: 'open' }] } });
    hub.relay.send(conversation.id, {
      kind: 'snapshot',
      process: 'asleep',
      requests: [{ toolCallId: named, state: 'detached' }],
    });
    const marked = await phone.hear('inbox', ({ entries }) =>
      entries.some((entry) => entry.request.id === request.id && entry.request.detached),
    );
    expect(marked.closed).toEqual([]);
  });

  it('[C12] the same call again is the same request', async () => {
    const toolCallId = hub.relay.ask(conversation.id);
    await phone.hearRequest(conversation.id);
    const again: RelayMessage = { kind: 'ask', toolCallId, questions: [aQuestion()] };
    await hub.relay.sendAndSettle(conversation.id, again);
    const opened = await phone.open(conversation.id);
    expect(opened).toMatchObject({ page: { requests: [{ toolCallId }] } });
  });
});

describe('what the hub refuses on the link', () => {
  it('[link.6] a message that is not one is refused by its number; other conversations go on', async () => {
    const other = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
    sendRaw(numbered(1, { kind: 'ask', toolCallId: '', questions: [] }));
    await hub.relay.sendAndSettle(other.id, said('unharmed'));
    const receipt = await hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]).toMatchObject({ n: 1, code: 'INVALID' });
    expect(receipt.refused[0]?.reason).toContain('message.toolCallId');
  });

  it.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('[link.6] %s is refused, and a tombstone takes its place', async (_what, text) => {
    sendRaw(numbered(1, said(text)));
    await hub.relay.receipts.until(({ refused }) => refused.some(({ n }) => n === 1));
    sendRaw(numbered(1, { kind: 'tombstone', what: 'agent-events', reason: 'unstorable' }));
    await hub.relay.acknowledgedUpTo(conversation.id, 1);
    const opened = await phone.open(conversation.id);
    const kinds = opened.kind === 'refused' ? [] : opened.page.events.map(({ body }) => body.kind);
    expect(kinds).toContain('tombstone');
  });

  it('[link.6] ten thousand options are refused and nothing opens', async () => {
    const options = Array.from({ length: 10_000 }, (_, i) => ({ label: `Option ${i}` }));
    sendRaw(
      numbered(1, { kind: 'ask', toolCallId: 'toolu_many', questions: [aQuestion({ options })] }),
    );
    const receipt = await hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]?.reason).toContain('options');
    expect(await phone.open(conversation.id)).toMatchObject({ page: { requests: [] } });
  });

  it('[link.6] a question of a megabyte is refused and nothing opens', async () => {
    const question = aQuestion({ question: 'x'.repeat(1024 * 1024) });
    sendRaw(numbered(1, { kind: 'ask', toolCallId: 'toolu_long', questions: [question] }));
    const receipt = await hub.relay.receipts.until(({ refused }) => refused.length > 0);
    expect(receipt.refused[0]?.code).toBe('INVALID');
  });

  it('[quality] nonsense in place of frames harms nobody', async () => {
    const { socket } = hub.relay;
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
    await hub.relay.sendAndSettle(conversation.id, said('still here'));
    expect(await texts(conversation.id)).toEqual(['still here']);
  });
});

describe('order', () => {
  it('[D3] a hundred blocks of one conversation keep their order and their numbers', async () => {
    const blocks = Array.from({ length: 100 }, (_, i) => `block ${i}`);
    await hub.relay.sendAndSettle(conversation.id, ...blocks.map(said));
    expect(await texts(conversation.id)).toEqual(blocks);
    const opened = await phone.open(conversation.id);
    const ns = opened.kind === 'refused' ? [] : numbers(opened.page.events);
    expect(ns).toEqual(ns.map((_, index) => (ns[0] ?? 0) + index));
  });
});
