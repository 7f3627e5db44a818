import { describe, expect, it } from '@jest/globals';
import { aQuestion } from '../../../../test/support/card-builders.js';
import { answerProblem, canonicalAnswer, sameAnswer } from '../index.js';

describe('whether an answer fits its question', () => {
  it('[C1] one choice with typed text fits', () => {
    expect(
      answerProblem(aQuestion(), { choices: [0], text: 'on the old machine' }),
    ).toBeUndefined();
  });
  it('[C2] several choices fit a question that allows them', () => {
    expect(answerProblem(aQuestion({ allowsSeveral: true }), { choices: [0, 1] })).toBeUndefined();
  });
  it('[C2] several choices do not fit a question that takes one, and the field is named', () => {
    expect(answerProblem(aQuestion(), { choices: [0, 1] })).toEqual({
      field: 'answer.choices',
      problem: 'names 2 choices; this question takes one',
    });
  });
  it('[P10] the switch to several makes them fit', () => {
    expect(
      answerProblem(aQuestion({ offersSelectSeveral: true }), { choices: [0, 1] }),
    ).toBeUndefined();
  });
  it('[C1] a choice that the question does not have is refused', () => {
    expect(answerProblem(aQuestion(), { choices: [2] })?.problem).toContain('the question has 2');
  });
  it('[C2] a choice named twice is refused', () => {
    expect(answerProblem(aQuestion({ allowsSeveral: true }), { choices: [1, 1] })?.field).toBe(
      'answer.choices',
    );
  });
});

describe('the one form of an answer', () => {
  it('[C2] ticks stand in the order shown', () => {
    expect(canonicalAnswer({ choices: [2, 0], text: '  and test it ' })).toEqual({
      choices: [0, 2],
      text: 'and test it',
    });
  });
  it('[C10] the same ticks in another order are the same answer', () => {
    expect(sameAnswer({ choices: [1, 0] }, { choices: [0, 1], text: ' ' })).toBe(true);
  });
  it('[C10] another text is another answer', () => {
    expect(sameAnswer({ choices: [0] }, { choices: [0], text: 'but later' })).toBe(false);
  });
});
