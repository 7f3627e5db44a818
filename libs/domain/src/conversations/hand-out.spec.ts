import { describe, expect, it } from '@jest/globals';
import { mayHandOut, type HandOutFacts } from '../index.js';

const facts: HandOutFacts = {
  turn: 'done',
  openCards: 0,
  unconfirmedAnswers: 0,
  personActs: false,
};

describe('when a queued message goes out', () => {
  it('[C17] it does when nothing runs or waits', () => {
    expect(mayHandOut(facts)).toBe(true);
  });
  it('[C17] it waits while a card is open', () => {
    expect(mayHandOut({ ...facts, openCards: 1 })).toBe(false);
  });
  it('[C17] it waits for the turn that runs or is due', () => {
    expect((['due', 'running'] as const).map((turn) => mayHandOut({ ...facts, turn }))).toEqual([
      false,
      false,
    ]);
  });
  it('[C11] it waits until an accepted answer has reached the agent', () => {
    expect(mayHandOut({ ...facts, unconfirmedAnswers: 1 })).toBe(false);
  });
  it('[C17] after a failed turn it waits for the person to act', () => {
    const failed = { ...facts, turn: 'failed' as const };
    expect([mayHandOut(failed), mayHandOut({ ...failed, personActs: true })]).toEqual([
      false,
      true,
    ]);
  });
});
