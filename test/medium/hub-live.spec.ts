import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  TurnId,
  type Conversation,
  type Delta,
  type OpenedConversation,
  type StoredEvent,
} from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import type { TestHub } from '../support/hub.js';
import { PROVIDER, said, useLinkedHub } from '../support/linked-hub.js';

const at = useLinkedHub();
const turnId = TurnId.parse(randomUUID());
let hub: TestHub;
let phone: DeviceClient;
let laptop: DeviceClient;
let conversation: Conversation;

beforeAll(async () => {
  laptop = await at.hub.device('Laptop');
});

beforeEach(async () => {
  ({ hub, phone, conversation } = at);
  phone.close();
  laptop.close();
  await phone.connect();
  await laptop.connect();
});

function page(
  opened: OpenedConversation,
): Exclude<OpenedConversation, { kind: 'refused' }>['page'] {
  if (opened.kind === 'refused') throw new Error(opened.message);
  return opened.page;
}

/** Numbers of the events that a device was told of a conversation, as they came. */
const toldNumbers = (device: DeviceClient): number[] =>
  device.heard.all.flatMap((heard) =>
    heard.event === 'events' && heard.payload.conversationId === conversation.id
      ? heard.payload.events.map(({ n }) => n)
      : [],
  );

describe('an open conversation', () => {
  it('[D3] what the agent says is heard by every device that has it open', async () => {
    await phone.open(conversation.id);
    await laptop.open(conversation.id);
    hub.relay.send(conversation.id, said('Hello'));
    const heard = await Promise.all(
      [phone, laptop].map((device) =>
        device.hearEvent(({ body }) => body.kind === 'text' && body.text === 'Hello'),
      ),
    );
    expect(heard[0]).toEqual(heard[1]);
  });

  it('[D6] a device that comes back gets exactly what it missed', async () => {
    const before = page(await phone.open(conversation.id));
    const held = before.events.at(-1)?.n ?? 0;
    phone.close();
    await hub.relay.sendAndSettle(conversation.id, said('a'), said('b'));
    await phone.connect();
    const opened = await phone.open(conversation.id, held);
    expect(opened.kind).toBe('replay');
    expect(page(opened).events.map(({ n }) => n)).toEqual([held + 1, held + 2]);
  });

  it('[D6] one that missed more than it can be told at once gets the newest blocks', async () => {
    const held = page(await phone.open(conversation.id)).events.at(-1)?.n ?? 0;
    phone.close();
    const blocks = Array.from({ length: 600 }, (_, i) => said(`block ${i}`));
    for (let from = 0; from < blocks.length; from += 100) {
      await hub.relay.sendAndSettle(conversation.id, ...blocks.slice(from, from + 100));
    }
    await phone.connect();
    const opened = await phone.open(conversation.id, held);
    expect(opened.kind).toBe('snapshot');
    expect(page(opened).more).toBe(true);
    expect(page(opened).events.at(-1)?.n).toBe(page(opened).conversation.lastEventN);
  });

  it('[D3] older events come in pages', async () => {
    const blocks = Array.from({ length: 20 }, (_, i) => said(`block ${i}`));
    await hub.relay.sendAndSettle(conversation.id, ...blocks);
    const path = `/api/conversations/${conversation.id}/events?before=10&limit=3`;
    const older = (await phone.get(path)).body as { events: { n: number }[]; more: boolean };
    expect(older.events.map(({ n }) => n)).toEqual([7, 8, 9]);
    expect(older.more).toBe(true);
  });

  it('[D6] nothing is missed or doubled while it is being opened', async () => {
    const opening = phone.open(conversation.id);
    const last = hub.relay.send(
      conversation.id,
      ...Array.from({ length: 30 }, (_, i) => said(`${i}`)),
    );
    const opened = page(await opening);
    await hub.relay.acknowledgedUpTo(conversation.id, last);
    const isLast = ({ body }: StoredEvent): boolean => body.kind === 'text' && body.text === '29';
    if (!opened.events.some(isLast)) await phone.hearEvent(isLast);
    const all = [...opened.events.map(({ n }) => n), ...toldNumbers(phone)];
    expect(all).toEqual(all.map((_, index) => index + 1));
  });

  it('[D6] a closed conversation is not followed any more', async () => {
    await phone.open(conversation.id);
    await laptop.open(conversation.id);
    phone.socket?.emit('close-conversation', { conversationId: conversation.id });
    await phone.open(conversation.id, 0).then(() => undefined);
    phone.socket?.emit('close-conversation', { conversationId: conversation.id });
    // Answered in order: once this one is refused, the close before it has been done.
    await phone.open(randomUUID() as never);
    hub.relay.send(conversation.id, said('psst'));
    await laptop.hearEvent(({ body }) => body.kind === 'text' && body.text === 'psst');
    expect(toldNumbers(phone)).toEqual([]);
  });

  it('[D6] one that does not exist is refused', async () => {
    expect(await phone.open(randomUUID() as never)).toMatchObject({
      kind: 'refused',
      code: 'NOT_FOUND',
    });
  });

  it('[D3] pieces of a block in the making are shown and not stored', async () => {
    await phone.open(conversation.id);
    await hub.relay.sendAndSettle(conversation.id, { kind: 'process', state: 'live' });
    const delta: Delta = { kind: 'text', turnId, blockId: 'b', offset: 0, text: 'Hel' };
    hub.relay.socket?.emit('deltas', {
      deltas: [{ conversationId: conversation.id, delta }],
    });
    const heard = await phone.hear('deltas');
    expect(heard.deltas).toEqual([delta]);
    const kinds = page(await phone.open(conversation.id)).events.map(({ body }) => body.kind);
    expect(kinds).not.toContain('text');
  });
});

describe('the board and the inbox', () => {
  it('[D2] a new conversation and its changes are heard on every device', async () => {
    // Begun after the laptop has its snapshot: nothing else would have to be told of it.
    const begun = await phone.start({ relayId: hub.relay.id, provider: PROVIDER });
    const rows = await laptop.hear('board-rows', ({ conversations }) =>
      conversations.some(({ id }) => id === begun.id),
    );
    expect(rows.deleted).toEqual([]);
    const path = `/api/conversations/${begun.id}`;
    await phone.call('PATCH', path, '{"title":"Renamed"}');
    await laptop.hear('board-rows', ({ conversations }) =>
      conversations.some(({ title }) => title === 'Renamed'),
    );
    await phone.call('DELETE', path);
    await laptop.hear('board-rows', ({ deleted }) => deleted.includes(begun.id));
    expect((await phone.get(path)).status).toBe(404);
  });

  it('[C9] a deleted conversation takes its open card along', async () => {
    hub.relay.ask(conversation.id);
    const request = await laptop.hearRequest(conversation.id);
    await phone.call('DELETE', `/api/conversations/${conversation.id}`);
    await laptop.hear('inbox', ({ closed }) => closed.includes(request.id));
    await hub.relay.hear(conversation.id, 'forget');
    const inbox = await phone.get('/api/inbox');
    expect(JSON.stringify(inbox.body)).not.toContain(request.id);
  });

  it('[D1] a card that opened before a device came is in its snapshot', async () => {
    hub.relay.ask(conversation.id);
    const request = await phone.hearRequest(conversation.id);
    laptop.close();
    const snapshot = await laptop.connect();
    expect(snapshot.inbox.entries.map((entry) => entry.request.id)).toContain(request.id);
  });

  it('[C17] a message waits while a card is open, can be cancelled, and is sent once', async () => {
    hub.relay.ask(conversation.id);
    await phone.hearRequest(conversation.id);
    const message = { messageId: randomUUID(), text: 'Later' };
    const path = `/api/conversations/${conversation.id}/messages`;
    expect((await phone.post(path, message)).body).toMatchObject({ queued: 1 });
    expect((await phone.post(path, message)).body).toMatchObject({ queued: 1 });
    const cancelled = await phone.call('DELETE', `${path}/${message.messageId}`);
    expect(cancelled.body).toMatchObject({ queued: 0 });
  });

  it('[C9] a stop cancels the open card and interrupts the turn', async () => {
    hub.relay.ask(conversation.id);
    const request = await phone.hearRequest(conversation.id);
    await phone.post(`/api/conversations/${conversation.id}/stop`);
    await laptop.hear('inbox', ({ closed }) => closed.includes(request.id));
    await hub.relay.hear(conversation.id, 'interrupt');
  });

  it('[D5] a conversation started twice with one message is one', async () => {
    const messageId = randomUUID();
    const body = {
      relayId: hub.relay.id,
      provider: PROVIDER,
      folder: '/tmp',
      mode: 'autopilot',
      firstMessage: { messageId, text: 'Once' },
    };
    const [first, second] = await Promise.all([
      phone.post('/api/conversations', body),
      phone.post('/api/conversations', body),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((first.body as Conversation).id).toBe((second.body as Conversation).id);
  });
});

describe('a socket', () => {
  it('[quality] that is a megabyte behind is dropped to a snapshot and goes on from there', async () => {
    await phone.open(conversation.id);
    await laptop.open(conversation.id);
    const engine = phone.socket?.io.engine as unknown as { transport: { ws: PausableSocket } };
    engine.transport.ws.pause();
    const text = 'x'.repeat(50_000);
    for (let sent = 0; sent < 240; sent += 4) {
      const blocks = Array.from({ length: 4 }, (_, i) => said(`${sent + i} ${text}`));
      await hub.relay.sendAndSettle(conversation.id, ...blocks);
    }
    const before = phone.heard.all.filter(({ event }) => event === 'snapshot').length;
    engine.transport.ws.resume();
    await phone.heard.count(before + 1, ({ event }) => event === 'snapshot');
    hub.relay.send(conversation.id, said('the end'));
    await phone.hearEvent(({ body }) => body.kind === 'text' && body.text === 'the end');
    const told = toldNumbers(phone);
    expect(told).toEqual(told.map((_, index) => (told[0] ?? 0) + index));
  }, 60_000);

  it('[security] ends with its token, and lives on with a new one', async () => {
    expect(await phone.socket?.timeout(5_000).emitWithAck('renew-token', { token: 'x' })).toEqual({
      ok: false,
    });
    const { token } = laptop;
    expect(await phone.socket?.timeout(5_000).emitWithAck('renew-token', { token })).toEqual({
      ok: false,
    });
    await phone.renew();
    const renewed = phone.socket?.timeout(5_000).emitWithAck('renew-token', { token: phone.token });
    expect(await renewed).toEqual({ ok: true });
  });

  it('[quality] beyond the number that one device may hold is refused', async () => {
    const many = await hub.device('Many tabs');
    const sockets = [];
    for (let i = 0; i < 32; i += 1) {
      await many.connect();
      sockets.push(many.socket);
    }
    await expect(many.connect()).rejects.toThrow('RATE_LIMITED');
    sockets.forEach((socket) => socket?.disconnect());
  });
});

interface PausableSocket {
  pause(): void;
  resume(): void;
}
