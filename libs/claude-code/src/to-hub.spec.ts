import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AgentEvent } from '#contracts';
import type { SessionSink } from '#provider-kit';
import { ToHub } from './to-hub.js';
import { TurnUsage } from './usage.js';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const MADE_ID = /"turnId":"([0-9a-f-]{36})"/g;

interface Told {
  events: AgentEvent[];
  deltas: { kind: string; blockId: string; offset: number; text: string }[];
  pickedUp: string[];
  resultsSeen: string[];
}

/** What the hub is told of these messages, with the turns numbered in place of their ids. */
function tellAll(messages: readonly unknown[], reportsCost = true): Told {
  const told: Told = { events: [], deltas: [], pickedUp: [], resultsSeen: [] };
  const never = (): void => {
    throw new Error('not told from the stream');
  };
  const sink: SessionSink = {
    sessionRef: never,
    ask: never,
    withdrawn: never,
    taken: never,
    ended: never,
    event: (event) => told.events.push(event),
    delta: ({ kind, blockId, offset, text }) => told.deltas.push({ kind, blockId, offset, text }),
    pickedUp: never,
  };
  const toHub = new ToHub({
    sink,
    usage: new TurnUsage(reportsCost, 0),
    resultSeen: (id, { subAgent }) => {
      if (!subAgent) told.resultsSeen.push(id);
    },
    messageSeen: (id) => told.pickedUp.push(id),
    turnEnded: () => undefined,
  });
  for (const message of messages) toHub.handle(message);
  return JSON.parse(numberTurns(JSON.stringify(told))) as Told;
}

function numberTurns(json: string): string {
  const ids = [...new Set([...json.matchAll(MADE_ID)].map((match) => match[1] ?? ''))];
  return ids.reduce((text, id, at) => text.replaceAll(id, `turn-${at + 1}`), json);
}

const readJson = (...parts: string[]): unknown =>
  JSON.parse(readFileSync(path.join(FIXTURES, ...parts), 'utf8'));

const assistant = (content: unknown) => ({ type: 'assistant', message: { id: 'm', content } });

describe('what the hub is told of the client’s messages', () => {
  it.each(readdirSync(FIXTURES))('[P1] %s, as it was recorded', (scenario) => {
    expect(tellAll(readJson(scenario, 'in.json') as unknown[])).toEqual(
      readJson(scenario, 'out.json'),
    );
  });

  it('[P] a message of an unknown type is said once, and breaks nothing', () => {
    const { events } = tellAll([{ type: 'novelty' }, { type: 'novelty', a: 1 }]);
    expect(events).toEqual([
      {
        kind: 'notice',
        severity: 'info',
        code: 'unknown-event',
        params: { type: 'novelty' },
        text: 'The client sent something that this version does not know: novelty.',
      },
    ]);
  });

  it.each([null, 7, 'text', [], {}, { type: 9 }, { type: 'assistant' }, { type: 'stream_event' }])(
    '[P] %j where a message should be breaks nothing',
    (message) => {
      expect(() => tellAll([message])).not.toThrow();
    },
  );

  it('[P] fields that are not known are let through unread', () => {
    const message = { ...assistant([{ type: 'text', text: 'Hello', mood: 'new' }]), era: 3 };
    expect(tellAll([message]).events).toContainEqual(expect.objectContaining({ text: 'Hello' }));
  });

  it('[link.6] NUL and half a surrogate pair are made visible, in text and in arguments', () => {
    const { events } = tellAll([
      assistant([
        { type: 'text', text: 'a\u0000b\ud800' },
        { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'x\u0000\udfff' } },
      ]),
    ]);
    for (const event of events.filter((one) => one.kind !== 'turn-started')) {
      const valid = { ...event, turnId: '0b5b29d8-8d3c-4ad5-9a1a-0c2f4f8a6f10' };
      expect(AgentEvent.safeParse(valid).success).toBe(true);
    }
    expect(events).toContainEqual(expect.objectContaining({ text: 'a␀b\ufffd' }));
  });

  it('[link.6] a long text comes in parts, each of which fits an event', () => {
    const { events } = tellAll([assistant([{ type: 'text', text: 'é'.repeat(150_000) }])]);
    const parts = events.filter((event) => event.kind === 'text');
    expect(parts.map((event) => event.part)).toEqual([
      { index: 0, last: false },
      { index: 1, last: false },
      { index: 2, last: true },
    ]);
    expect(parts.map((event) => event.text).join('')).toHaveLength(150_000);
  });

  it('[D10] a turn costs what the total grew by, and nothing where the cost is not right', () => {
    const result = (total: number) => ({
      type: 'result',
      subtype: 'success',
      total_cost_usd: total,
      usage: { input_tokens: 5 },
    });
    const costs = (reports: boolean) =>
      tellAll([result(0.25), result(0.75)], reports).events.flatMap((event) =>
        event.kind === 'turn-ended' ? [event.usage?.costUsd] : [],
      );
    expect(costs(true)).toEqual([0.25, 0.5]);
    expect(costs(false)).toEqual([undefined, undefined]);
  });
});
