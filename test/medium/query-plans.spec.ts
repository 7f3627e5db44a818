import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HOT_QUERIES } from '#persistence';
import { seededId, seedManyRows } from '../support/many-rows.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(120_000);

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await seedManyRows(database.owner, { conversations: 5_000, eventsEach: 40, openEvery: 20 });
});
afterAll(() => database.remove());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly Node[];
}

const person = `'${seededId(1, 1)}'`;
const relay = `'${seededId(2, 1)}'`;
const conversation = `'${seededId(3, 777)}'`;
const conversations = `array[${conversation}]::uuid[]`;
const none = `array[]::uuid[]`;
const SETTLE_ONE =
  `array['${seededId(4, 20)}']::uuid[], array['answerable'], array[1], array[2], array['toolu_20'], ` +
  `array['closed'], array['answered'], array[1.0], array[false], array['pending'], array[false], ` +
  `array['${seededId(5, 20)}']::uuid[], array['${seededId(4, 20)}']::uuid[], array[1], array[2], ` +
  `array['answered'], array['{}']::jsonb[], array['{}']::jsonb[], array[1.0]`;

const ints = (count: number) => Array.from({ length: count }, () => 'array[1]').join(', ');
const APPEND_ONE =
  `${conversations}, ${ints(8)}, array['2026-12-01']::date[], ${conversations}, array[99], ` +
  `array[1.0], array['{}']::jsonb[], ${conversations}, array['t'], array['ask'], array[1], array[1], ` +
  `array['live'], array['done'], array[null]::jsonb[], array['s'], array[0], array[1.0], array[0], ` +
  `array['l'], array[1.0], array[null]::float8[], array[null]::float8[], array['[]']::jsonb[]`;

/** A minute of deadlines. */
const SPAN = '1796000000000, 1796000060000';

/** Each statement with parameters, and the indexes that it must rest on. */
const EXPECTED: {
  [Name in keyof typeof HOT_QUERIES]: {
    parameters: string;
    indexes: readonly string[];
    /** a table that it may read up to a bound of its own */
    counts?: string;
  };
} = {
  inbox: { parameters: person, indexes: ['request_due', 'card_request_id_position_key'] },
  board: {
    parameters: `${person}, 1796000000000, ${conversation}, null, 50`,
    indexes: ['conversation_on_board', 'conversation_head_pkey'],
  },
  archive: {
    parameters: `${person}, 1796000000000, ${conversation}, null, 50`,
    indexes: ['conversation_in_archive', 'conversation_head_pkey'],
  },
  // It counts all that one person has, and stops at 10,000: where that is the whole table, reading it is no worse.
  'board total': { parameters: `${person}, null`, indexes: [], counts: 'conversation' },
  'archive total': { parameters: `${person}, null`, indexes: ['conversation_in_archive'] },
  conversation: {
    parameters: conversation,
    indexes: ['conversation_pkey', 'conversation_head_pkey'],
  },
  'events after': { parameters: `'2026-12-01', ${conversation}, 10, 500`, indexes: ['event_pkey'] },
  'events before': {
    parameters: `'2026-12-01', ${conversation}, 30, 200`,
    indexes: ['event_pkey'],
  },
  queue: { parameters: conversation, indexes: ['queued_message_waiting'] },
  'requests of a conversation': { parameters: conversation, indexes: ['request_unsettled'] },
  card: { parameters: `'${seededId(5, 777)}'`, indexes: ['card_pkey', 'request_pkey'] },
  'recent folders': { parameters: `${person}, ${relay}, 200`, indexes: ['conversation_by_age'] },
  'link cursors': {
    parameters: `'${seededId(2, 2)}', ${conversations}`,
    indexes: ['outbox_of_relay'],
  },
  outbox: {
    parameters: `${conversation}, 1, 0, 100`,
    indexes: ['outbox_pkey', 'conversation_head_pkey'],
  },
  acknowledged: {
    parameters: `${relay}, ${conversations}, array[1], array[1]`,
    indexes: ['outbox_of_relay'],
  },
  due: { parameters: '100', indexes: ['request_due'] },
  'next deadline': { parameters: '', indexes: ['request_due'] },
  'see clock': { parameters: '', indexes: [] },
  'lock heads to give time': {
    parameters: SPAN,
    indexes: ['request_due', 'conversation_head_pkey'],
  },
  'give time': {
    parameters: `${SPAN}, 1796000000000, ${conversations}, '{}'`,
    indexes: ['conversation_head_pkey'],
  },
  'lock heads': { parameters: conversations, indexes: ['conversation_head_pkey'] },
  'load conversations': { parameters: conversations, indexes: ['conversation_pkey'] },
  'load requests': {
    parameters: `${conversations}, ${conversations}, array['toolu_777'], array['${seededId(5, 777)}']::uuid[], ${none}`,
    indexes: ['request_unsettled', 'request_conversation_id_tool_call_id_key', 'card_pkey'],
  },
  'load messages': {
    parameters: `${conversations}, array['${seededId(6, 777)}']::uuid[]`,
    indexes: ['queued_message_waiting', 'queued_message_pkey'],
  },
  settle: { parameters: SETTLE_ONE, indexes: ['request_pkey'] },
  append: { parameters: APPEND_ONE, indexes: ['conversation_head_pkey', 'conversation_pkey'] },
};

/** Tables that stay small however long a hub runs. */
const SMALL = new Set(['relay', 'person', 'clock', 'clock_seen']);

async function planOf(name: keyof typeof HOT_QUERIES, mode: string): Promise<Node> {
  const client = await database.owner.connect();
  try {
    await client.query(`set plan_cache_mode = ${mode}`);
    await client.query(`prepare hot as ${HOT_QUERIES[name]}`);
    const { parameters } = EXPECTED[name];
    const call = parameters === '' ? 'hot' : `hot(${parameters})`;
    const { rows } = await client.query(`explain (format json) execute ${call}`);
    return rows[0]['QUERY PLAN'][0].Plan as Node;
  } finally {
    await client.query('deallocate all');
    await client.query('reset plan_cache_mode');
    client.release();
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe.each(['force_custom_plan', 'force_generic_plan'])('with %s', (mode) => {
  it.each(Object.keys(EXPECTED) as (keyof typeof HOT_QUERIES)[])(
    '[quality] %s reads no growing table from end to end',
    async (name) => {
      const nodes = nodesOf(await planOf(name, mode));

      const scanned = nodes
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name'] ?? '')
        .filter((table) => !SMALL.has(table) && table !== EXPECTED[name].counts);
      const used = new Set(nodes.map((node) => node['Index Name']));
      const missing = EXPECTED[name].indexes.filter((index) => !used.has(index));
      expect({ scanned, missing }).toEqual({ scanned: [], missing: [] });
    },
  );
});
