import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RelayEnvelope } from '#contracts';
import {
  StoreUnavailable,
  type Committed,
  type ConversationWrites,
  type Write,
  type WriteResult,
} from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import type { HubLog } from '../platform/hub-log.js';
import type { RelayConnection } from '../relays/relay-connections.js';
import type { Tell } from '../telling/tell.js';
import type { ConversationFacts } from './conversation-facts.js';
import { Intake, intakeLine, type IntakeLine } from './intake.js';

const ID = '00000000-0000-4000-8000-000000000001';
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let log: string[];
let pending: { n: number; settle: (result: WriteResult) => void; fail: (error: Error) => void }[];
let waits: Promise<number>;
let intake: Intake;
let line: IntakeLine;

beforeEach(() => {
  log = [];
  pending = [];
  waits = Promise.resolve(1);
  const writes = {
    write: (write: Write & { kind: 'intake' }) =>
      new Promise<WriteResult>((settle, fail) => pending.push({ n: write.fence.n, settle, fail })),
  };
  const facts = { learn: () => undefined, cardWaits: () => waits };
  const tell = { committed: () => void log.push('told') };
  const quiet = { warn: () => undefined, error: () => undefined };
  intake = new Intake(
    writes as unknown as ConversationWrites,
    facts as unknown as ConversationFacts,
    tell as unknown as Tell,
    quiet as unknown as HubLog,
    new HubMetrics(),
  );
  const wire = { pause: () => void log.push('paused'), resume: () => void log.push('resumed') };
  const socket = {
    emit: (_: string, receipt: unknown) => void log.push(JSON.stringify(receipt)),
    conn: { close: () => void log.push('closed'), transport: { socket: wire } },
  };
  line = intakeLine({ socket, relay: { id: 'r' } } as unknown as RelayConnection);
});

const message = (n: number, kind: 'process' | 'ask' = 'process'): RelayEnvelope =>
  ({
    conversationId: ID,
    epoch: 1,
    n,
    message:
      kind === 'process'
        ? { kind, state: 'live' }
        : { kind, toolCallId: 't', questions: [question] },
  }) as RelayEnvelope;
const question = { kind: 'question', question: 'Which?', options: [], allowsSeveral: false };
const committed: WriteResult = { ok: true, committed: { conversation: {} } as Committed };
const acknowledged = (n: number): string =>
  JSON.stringify({ upTo: [{ conversationId: ID, epoch: 1, n }], refused: [] });

describe('taking what a relay sends', () => {
  it('[link.1] nothing is acknowledged before it is committed', async () => {
    intake.take(line, message(1));
    await turn();
    expect(log).toEqual([]);
    pending[0]?.settle(committed);
    await turn();
    await turn();
    expect(log).toEqual(['told', acknowledged(1)]);
  });

  it('[link.1] what follows a question waits for it, also while the store is asked', async () => {
    let found: (ms: number) => void = () => undefined;
    waits = new Promise((resolve) => (found = resolve));
    intake.take(line, message(1, 'ask'));
    intake.take(line, message(2));
    await turn();
    expect(pending.map(({ n }) => n)).toEqual([]);
    found(1);
    await turn();
    expect(pending.map(({ n }) => n)).toEqual([1, 2]);
  });

  it('[link.1] messages of one turn share one receipt', async () => {
    [1, 2, 3].forEach((n) => intake.take(line, message(n)));
    pending.forEach(({ settle }) => settle(committed));
    await turn();
    await turn();
    expect(log).toEqual(['told', 'told', 'told', acknowledged(3)]);
  });

  it('[link.1] with the database away the relay is let go, to send it again', async () => {
    intake.take(line, message(1));
    pending[0]?.fail(new StoreUnavailable());
    await turn();
    expect(log).toEqual(['closed']);
  });

  it('[link.6] what can not be read is refused by its number, and what follows in its frame is taken', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    const turnId = ID;
    const tool = {
      kind: 'tool-called',
      turnId,
      toolCallId: 't',
      tool: 'x',
      title: 'x',
      input: deep,
    };
    const unreadable = { ...message(1), message: { kind: 'agent-events', events: [tool] } };
    intake.take(line, unreadable);
    intake.take(line, message(2));
    await turn();
    const [receipt] = log.map((entry) => JSON.parse(entry) as { refused: unknown[] });
    expect(receipt?.refused).toMatchObject([{ n: 1, code: 'INVALID' }]);
    expect(pending.map(({ n }) => n)).toEqual([2]);
  });

  it('[link.6] what fails each time for a reason of ours is refused the third time', async () => {
    for (let time = 1; time <= 3; time += 1) {
      intake.take(line, message(1));
      pending.pop()?.fail(new Error('a fault of ours'));
      await turn();
      await turn();
    }
    expect(log.slice(0, 2)).toEqual(['closed', 'closed']);
    expect(JSON.parse(log[2] ?? '')).toMatchObject({ refused: [{ n: 1, code: 'INVALID' }] });
  });

  it('[link.5] a relay that is faster than the database is not read for a while', async () => {
    for (let n = 1; n <= 2_000; n += 1) intake.take(line, message(n));
    expect(log).toEqual(['paused']);
    pending.forEach(({ settle }) => settle(committed));
    await turn();
    expect(log.filter((entry) => entry !== 'told')).toContain('resumed');
  });
});
