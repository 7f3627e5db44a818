import { describe, expect, it } from '@jest/globals';
import { aQuestion } from '../../../test/support/card-builders.js';
import { RelayMode, TOLD, answerInWords, toldAfterResume, toldInPart } from './index.js';

const question = aQuestion({
  question: 'Which one?',
  options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }],
});
const answered = {
  question,
  outcome: 'answered' as const,
  answer: { choices: [2, 0], text: 'soon' },
};

describe('what an agent is told', () => {
  it('[C2] ticks come in the order shown, typed text after them', () => {
    expect(answerInWords(answered)).toBe('A, C; soon');
  });
  it('[C8] nobody answered is never told as a refusal, a skip or an agreement', () => {
    for (const mode of RelayMode.options) {
      expect(TOLD.expired[mode]).toMatch(
        /^Nobody answered: .*Nobody declined, skipped or agreed to anything\./,
      );
    }
  });
  it('[M5] after nobody answered, autopilot decides and says its assumption', () => {
    expect(TOLD.expired.autopilot).toContain('say which assumption you made, and go on');
  });
  it('[M5] after nobody answered, ask does nothing that depends on it', () => {
    expect(TOLD.expired.ask).toContain('Do nothing that depends on the answer');
  });
  it('[M5] after nobody answered, plan lists it as open', () => {
    expect(TOLD.expired.plan).toContain('list this question as open');
  });
  it('[C16] a skip is told as a skip', () => {
    expect(TOLD.skipped.autopilot).toContain('skipped it');
  });
  it('[C8] of several, the answered ones are given and the open ones named', () => {
    const told = toldInPart(
      [answered, { question: { ...question, question: 'And when?' }, outcome: 'expired' }],
      'autopilot',
    );
    expect(told).toMatch(
      /^"Which one\?" was answered: "A, C; soon"\.\n"And when\?": Nobody answered/,
    );
  });
  it('[C11] after a resume the question is restated with its answer', () => {
    expect(toldAfterResume({ cards: [answered], mode: 'ask', possibleRepeat: false })).toContain(
      'You asked: Which one?\nThe person answered: A, C; soon',
    );
  });
  it('[C11] a possible repeat says that it may be one', () => {
    expect(toldAfterResume({ cards: [answered], mode: 'ask', possibleRepeat: true })).toContain(
      'ignore the repetition',
    );
  });
});
