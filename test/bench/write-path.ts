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

/** How a relay sends: the link lets it go on before the last message is acknowledged. */
interface Variant {
  readonly what: string;
  readonly eventsEach: number;
  readonly inFlight: number;
}
const VARIANTS: readonly Variant[] = [
  { what: 'an event a message, each waits for the last', eventsEach: 1, inFlight: 1 },
  { what: 'an event a message, eight in flight', eventsEach: 1, inFlight: 8 },
  { what: 'ten events a message, each waits for the last', eventsEach: 10, inFlight: 1 },
];

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
  const seconds = VARIANTS.map(() => 0);
  let bareSeconds = 0;
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    bareSeconds += await timed(() => insertBare(bare, turn));
    for (const [index, variant] of VARIANTS.entries()) {
      seconds[index] = (seconds[index] ?? 0) + (await timed(() => stream(conversations, variant)));
    }
  }
  const rate = (spent: number): string => `${Math.round((EVENTS_A_ROUND * ROUNDS) / spent)}/s`;
  return VARIANTS.map(({ what }, index) => {
    const spent = seconds[index] ?? Number.NaN;
    return {
      what: `events stored, ${CONVERSATIONS} conversations streaming, ${what}`,
      measured: rate(spent),
      baseline: `${rate(bareSeconds)} by insert … unnest × ${ROWS_A_STATEMENT}`,
      ratio: round(bareSeconds / spent),
      aim: '≥ 0.6',
    };
  });
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

async function stream(
  conversations: readonly TestConversation[],
  { eventsEach, inFlight }: Variant,
): Promise<void> {
  const messages = EVENTS_A_ROUND / CONVERSATIONS / eventsEach;
  const events = Array.from({ length: eventsEach }, () => body);
  await Promise.all(
    conversations.map(async (conversation) => {
      for (let sent = 0; sent < messages; sent += inFlight) {
        const window = Array.from({ length: inFlight }, (_, index) =>
          conversation.intake({ events, patch: { lastLine: `line ${sent + index}` } }),
        );
        await Promise.all(window);
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
