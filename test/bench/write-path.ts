import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { TurnId, type EventBody } from '#contracts';
import { migrate, openStore, startEmbeddedPostgres, type Store } from '#persistence';
import { startConversation, type TestConversation } from '../support/conversation-builders.js';
import { poolOf } from '../support/postgres.js';
import { makeScratchFolder } from '../support/scratch-folder.js';
import { round, table, type BenchRow } from './measured.js';

const CONVERSATIONS = 100;
const ROUNDS = 4;
const EVENTS_A_ROUND = 8_000;
const ROWS_A_STATEMENT = 100;

const turnId = TurnId.parse('00000000-0000-4000-8000-000000000001');
const body: EventBody = {
  kind: 'text',
  turnId,
  blockId: 'block-1',
  text: 'A line of a reply. '.repeat(12),
};

/** Events stored a second through the hub's batcher, against the bare insert of the same rows, side by side. */
export async function measureWritePath(): Promise<BenchRow[]> {
  const scratch = await makeScratchFolder();
  const postgres = await startEmbeddedPostgres({ home: scratch.path });
  try {
    await migrate(postgres);
    const store = await openStore({ address: postgres.app });
    const bare = poolOf(postgres.app, 1);
    try {
      return await compare(store, bare);
    } finally {
      await bare.end();
      await store.close();
    }
  } finally {
    await postgres.stop();
    await scratch.remove();
  }
}

async function compare(store: Store, bare: pg.Pool): Promise<BenchRow[]> {
  const conversations = await Promise.all(
    Array.from({ length: CONVERSATIONS }, () => startConversation(store)),
  );
  const seconds = { bare: 0, single: 0, batched: 0 };
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    seconds.bare += await timed(() => insertBare(bare, turn));
    seconds.single += await timed(() => stream(conversations, 1));
    seconds.batched += await timed(() => stream(conversations, 10));
  }
  const total = EVENTS_A_ROUND * ROUNDS;
  const rate = (spent: number): number => Math.round(total / spent);
  return (['single', 'batched'] as const).map((kind) => ({
    what: `events stored, ${CONVERSATIONS} conversations streaming, ${kind === 'single' ? 'one event' : 'ten events'} a message`,
    measured: `${rate(seconds[kind])}/s`,
    baseline: `${rate(seconds.bare)}/s by insert … unnest × ${ROWS_A_STATEMENT}`,
    ratio: round(seconds.bare / seconds[kind]),
    aim: '≥ 0.6',
  }));
}

async function insertBare(pool: pg.Pool, turn: number): Promise<void> {
  const client = await pool.connect();
  const conversationId = randomUUID();
  for (let from = 0; from < EVENTS_A_ROUND; from += ROWS_A_STATEMENT) {
    const rows = Array.from({ length: ROWS_A_STATEMENT }, (_, index) => from + index + 1);
    await client.query({
      name: 'bare',
      text: `insert into event (month, conversation_id, n, at, body)
        select * from unnest($1::date[], $2::uuid[], $3::int[], $4::timestamptz[], $5::jsonb[])`,
      values: [
        rows.map(() => `2026-0${turn + 1}-01`),
        rows.map(() => conversationId),
        rows,
        rows.map(() => new Date()),
        rows.map(() => JSON.stringify(body)),
      ],
    });
  }
  client.release();
}

/** Each conversation's relay sends its next message when the last one is committed. */
async function stream(
  conversations: readonly TestConversation[],
  eventsEach: number,
): Promise<void> {
  const messages = EVENTS_A_ROUND / CONVERSATIONS / eventsEach;
  const events = Array.from({ length: eventsEach }, () => body);
  await Promise.all(
    conversations.map(async (conversation) => {
      for (let sent = 0; sent < messages; sent += 1) {
        await conversation.intake({ events, patch: { lastLine: `line ${sent}` } });
      }
    }),
  );
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1_000;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = await measureWritePath();
  process.stdout.write(`${table(rows)}\n${JSON.stringify(rows)}\n`);
}
