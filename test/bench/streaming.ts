import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import { TurnId, type ConversationId, type RelayMessage } from '#contracts';
import { poolOf } from '../support/postgres.js';
import type { HubProcess } from './hub-process.js';
import { LeanDevice } from './lean-device.js';
import { round, type BenchRow } from './measured.js';

const CONVERSATIONS = 100;
/** As many as one device may have open at a time. */
const OPEN_A_DEVICE = 50;
const EVENTS_EACH = 100;
const ROWS_A_STATEMENT = 100;
const TEXT = 'A line of a reply. '.repeat(12);

/**
 * A hundred agents write at once, and each event is stored and shown on a device that has its conversation open. Beside
 * it, in the same run, the same rows by a bare multi-row insert, and the same texts by a bare socket.io broadcast.
 */
export async function measureStreaming(hub: HubProcess): Promise<BenchRow> {
  const conversations: ConversationId[] = [];
  while (conversations.length < CONVERSATIONS) {
    const { id } = await hub.device.start({ relayId: hub.relay.id, provider: 'scripted' as never });
    await hub.relay.hear(id, 'send-message');
    hub.relay.heard.clear();
    conversations.push(id);
  }
  const devices = [await LeanDevice.connect(hub.device), await LeanDevice.connect(hub.device)];
  try {
    for (const [index, conversationId] of conversations.entries()) {
      const device = devices[Math.floor(index / OPEN_A_DEVICE)];
      await device?.socket.timeout(10_000).emitWithAck('open-conversation', {
        conversationId,
        after: 0,
      });
    }
    const ours = await stream(hub, devices, conversations);
    const inserts = await bareInserts(hub);
    const broadcasts = await bareBroadcasts();
    const slower = Math.min(inserts, broadcasts);
    return {
      what: `events stored and shown, ${CONVERSATIONS} conversations streaming`,
      measured: `${Math.round(ours)}/s`,
      baseline: `${Math.round(inserts)}/s bare insert × ${ROWS_A_STATEMENT}, ${Math.round(broadcasts)}/s bare socket.io`,
      ratio: round(ours / slower),
      aim: '>= 0.6 of the slower',
    };
  } finally {
    devices.forEach((device) => device.close());
  }
}

async function stream(
  hub: HubProcess,
  devices: readonly LeanDevice[],
  conversations: readonly ConversationId[],
): Promise<number> {
  const total = CONVERSATIONS * EVENTS_EACH;
  let shown = 0;
  const turnId = TurnId.parse(randomUUID());
  const all = new Promise<void>((resolve) => {
    for (const { socket } of devices) {
      socket.on('events', ({ events }) => {
        shown += events.filter(({ body }) => body.kind === 'text').length;
        if (shown >= total) resolve();
      });
    }
  });
  const text = (at: number): RelayMessage =>
    ({
      kind: 'agent-events',
      events: [{ kind: 'text', turnId, blockId: `block-${at}`, text: TEXT }],
    }) satisfies RelayMessage;
  const began = performance.now();
  for (let at = 0; at < EVENTS_EACH; at += 1) {
    for (const conversation of conversations) hub.relay.send(conversation, text(at));
    // The agents write on while the hub works; a turn of the loop lets this process hear.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  return total / ((performance.now() - began) / 1_000);
}

async function bareInserts(hub: HubProcess): Promise<number> {
  const pool = poolOf(hub.database, 1);
  const total = CONVERSATIONS * EVENTS_EACH;
  const conversationId = randomUUID();
  const body = JSON.stringify({ kind: 'text', turnId: randomUUID(), blockId: 'b', text: TEXT });
  const began = performance.now();
  for (let from = 0; from < total; from += ROWS_A_STATEMENT) {
    const rows = Array.from({ length: ROWS_A_STATEMENT }, (_, index) => from + index + 1);
    await pool.query({
      name: 'bare',
      text: `insert into event (month, conversation_id, n, at, body)
        select '2020-01-01', $1, n, now(), $3 from unnest($2::int[]) n`,
      values: [conversationId, rows, body],
    });
  }
  const perSecond = total / ((performance.now() - began) / 1_000);
  await pool.end();
  return perSecond;
}

async function bareBroadcasts(): Promise<number> {
  const http = createServer();
  const server = new Server(http, { transports: ['websocket'], serveClient: false });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const client = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true });
  await new Promise<void>((resolve) => client.on('connect', resolve));
  const total = CONVERSATIONS * EVENTS_EACH;
  let heard = 0;
  const all = new Promise<void>((resolve) => {
    client.on('text', () => {
      heard += 1;
      if (heard === total) resolve();
    });
  });
  const began = performance.now();
  for (let at = 0; at < total; at += 1) {
    server.emit('text', { n: at, body: { kind: 'text', text: TEXT } });
    if (at % CONVERSATIONS === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  const perSecond = total / ((performance.now() - began) / 1_000);
  client.disconnect();
  await server.close();
  return perSecond;
}
