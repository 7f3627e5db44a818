import { describe, expect, it } from '@jest/globals';
import { CardId, RequestId, ToolCallId, TurnId } from '#contracts';
import { aQuestion } from '../../../../test/support/card-builders.js';
import { intakeEffect } from '../index.js';

const id = '00000000-0000-4000-8000-000000000001';
const context = {
  newRequestId: () => RequestId.parse(id),
  newCardId: () => CardId.parse(id),
  cardWaits: 8 * 3_600_000,
};
const toolCallId = ToolCallId.parse('toolu_1');
const turnId = TurnId.parse(id);

describe("what a relay's message does", () => {
  it('[C6] a call with three questions opens one request with a card each', () => {
    const effect = intakeEffect(
      { kind: 'ask', toolCallId, questions: [aQuestion(), aQuestion(), aQuestion()] },
      context,
    );
    expect(effect.open?.cardIds).toHaveLength(3);
  });
  it("[C7] a call without a time-out of its own waits as long as the provider's cards do, and can be extended", () => {
    const effect = intakeEffect({ kind: 'ask', toolCallId, questions: [aQuestion()] }, context);
    expect(effect.open).toMatchObject({ waits: 8 * 3_600_000, deadlineOurs: true });
  });
  it("[C7] a call's own time-out is not ours to extend", () => {
    const effect = intakeEffect(
      { kind: 'ask', toolCallId, questions: [aQuestion()], waits: 900_000 },
      context,
    );
    expect(effect.open).toMatchObject({ waits: 900_000, deadlineOurs: false });
  });
  it('[link.3] a snapshot marks what it names and closes nothing', () => {
    const effect = intakeEffect(
      { kind: 'snapshot', process: 'asleep', requests: [{ toolCallId, state: 'unknown' }] },
      context,
    );
    expect([effect.close, effect.detached]).toEqual([undefined, [{ toolCallId, detached: true }]]);
  });
  it('[C9] a process that is gone leaves its cards open and detached', () => {
    const effect = intakeEffect({ kind: 'process', state: 'gone' }, context);
    expect([effect.close, effect.allDetached]).toEqual([undefined, true]);
  });
  it("[D2] the board's last line is not a sub-agent's", () => {
    const effect = intakeEffect(
      {
        kind: 'agent-events',
        events: [
          { kind: 'text', turnId, blockId: 'b', text: 'inner', parentToolCallId: toolCallId },
        ],
      },
      context,
    );
    expect(effect.patch).toEqual({});
  });
  it("[D2] the board's last line tells a command to the letter", () => {
    const called = { toolCallId, turnId, tool: 'Bash', input: {}, inputCut: false } as const;
    const effect = intakeEffect(
      { kind: 'agent-events', events: [{ kind: 'tool-called', title: 'ls *.a*', ...called }] },
      context,
    );
    expect(effect.patch).toEqual({ lastLine: 'ls *.a*' });
  });
  it('[D2] a retry is told on the board while nothing else is', () => {
    const text = 'The model could not be reached. Trying again in 9 s (5 of 10).';
    const retry = { kind: 'notice', code: 'api-retry', params: {}, text } as const;
    const effect = intakeEffect(
      { kind: 'agent-events', events: [{ ...retry, severity: 'warning' }] },
      context,
    );
    expect(effect.patch).toEqual({ lastLine: text });
  });
  it('[C12] the same questions have the same canonical text whatever was noted on them', () => {
    const plain = intakeEffect({ kind: 'ask', toolCallId, questions: [aQuestion()] }, context);
    const noted = intakeEffect(
      {
        kind: 'ask',
        toolCallId,
        questions: [aQuestion({ notes: [{ code: 'text-cut', params: {} }] })],
      },
      context,
    );
    expect(noted.open?.canonical).toBe(plain.open?.canonical);
  });
});
