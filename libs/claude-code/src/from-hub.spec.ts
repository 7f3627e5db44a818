import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  RequestId,
  TOLD,
  ToolCallId,
  type CardResult,
  type GiveAnswer,
  type RelayMode,
} from '#contracts';
import { readAsked } from './asked.js';
import { toPermissionResult } from './from-hub.js';

const CALL = ToolCallId.parse('toolu_1');
const question = (text: string, labels: string[], multiSelect = false) => ({
  question: text,
  header: 'H',
  multiSelect,
  options: labels.map((label) => ({ label, description: `About ${label}` })),
});
const COLOUR = question('Which colour?', ['Red', 'Other', 'Blue']);
const FRUIT = question('Which fruit?', ['Apple', 'Pear', 'Plum'], true);

type Ended = Pick<CardResult, 'outcome' | 'answer'>;
const given = (choices: number[], text?: string): Ended => ({
  outcome: 'answered',
  answer: { choices, ...(text !== undefined && { text }) },
});

function end(input: Record<string, unknown>, ends: Ended[], mode: RelayMode = 'autopilot') {
  const asked = readAsked(CALL, input);
  const cards = asked.questions.map(({ shown }, at): CardResult => ({
    question: shown,
    ...(ends[at] ?? { outcome: 'expired' }),
  }));
  const result: GiveAnswer = {
    kind: 'give-answer',
    requestId: RequestId.parse('0b5b29d8-8d3c-4ad5-9a1a-0c2f4f8a6f10'),
    toolCallId: CALL,
    outcome: 'answered',
    mode,
    cards,
  };
  return toPermissionResult(asked, result);
}

describe('the end of a request in the client’s form', () => {
  it('[C2] joins several labels by comma and space, in the order shown', () => {
    expect(end({ questions: [FRUIT] }, [given([2, 0])])).toEqual({
      behavior: 'allow',
      updatedInput: { questions: [FRUIT], answers: { 'Which fruit?': 'Apple, Plum' } },
    });
  });

  it('[C4] counts the places of what is shown, without the agent’s own “Other”', () => {
    expect(end({ questions: [COLOUR] }, [given([1])])).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'Blue' } },
    });
  });

  it('[C2] gives typed text beside ticks as a note', () => {
    expect(end({ questions: [FRUIT] }, [given([1], 'ripe ones')])).toMatchObject({
      updatedInput: {
        answers: { 'Which fruit?': 'Pear' },
        annotations: { 'Which fruit?': { notes: 'ripe ones' } },
      },
    });
  });

  it('[C4] gives typed text alone as the answer', () => {
    expect(end({ questions: [COLOUR] }, [given([], 'Green')])).toEqual({
      behavior: 'allow',
      updatedInput: { questions: [COLOUR], answers: { 'Which colour?': 'Green' } },
    });
  });

  it('[C6] gives each question its own answer', () => {
    expect(end({ questions: [COLOUR, FRUIT] }, [given([0]), given([1, 2])])).toMatchObject({
      updatedInput: { answers: { 'Which colour?': 'Red', 'Which fruit?': 'Pear, Plum' } },
    });
  });

  it('[C8] names what was answered and what is open, where not all was answered', () => {
    const result = end({ questions: [COLOUR, FRUIT] }, [given([0]), { outcome: 'expired' }]);
    expect(result).toEqual({
      behavior: 'deny',
      message: `"Which colour?" was answered: "Red".\n"Which fruit?": ${TOLD.expired.autopilot}`,
    });
  });

  const OUTCOMES = ['skipped', 'expired', 'cancelled', 'lost'] as const;
  const MODES = ['autopilot', 'ask', 'plan'] as const;
  it.each(OUTCOMES.flatMap((outcome) => MODES.map((mode) => [outcome, mode] as const)))(
    '[C9] tells %s in %s in its own words, and lets the turn go on',
    (outcome, mode) => {
      expect(end({ questions: [COLOUR] }, [{ outcome }], mode)).toEqual({
        behavior: 'deny',
        message: TOLD[outcome][mode],
      });
    },
  );

  it('[P] answers a call that could not be read with the person’s words', () => {
    expect(end({ prompt: 'which?' }, [given([], 'the red one')])).toEqual({
      behavior: 'allow',
      updatedInput: { prompt: 'which?', response: 'the red one' },
    });
  });

  it('[quality] gives the answers alone where the questions are too long to be repeated', () => {
    const long = question('x'.repeat(20_000), ['A', 'B']);
    expect(end({ questions: [long, FRUIT] }, [given([1]), given([0], 'ripe')])).toMatchObject({
      behavior: 'allow',
      updatedInput: { response: 'Question 1: B\nQuestion 2: Apple; ripe' },
    });
  });

  it('[C1] gives a label back to the letter, also where the card could not show it so', () => {
    const label = 'a\u0000b';
    expect(end({ questions: [question('Q', [label, 'c'])] }, [given([0])])).toMatchObject({
      updatedInput: { answers: { Q: label } },
    });
  });

  it('[C1] files an answer under a question that is called like a property of every object', () => {
    const odd = question('__proto__', ['a', 'b']);
    const result = end({ questions: [odd] }, [given([1])]);
    expect(JSON.stringify(result)).toContain('"answers":{"__proto__":"b"}');
  });

  it('[P] never throws, whatever the call looks like', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        expect(end(input, [given([0], 'x')]).behavior).toMatch(/allow|deny/);
      }),
    );
  });
});
