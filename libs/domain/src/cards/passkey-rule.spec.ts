import { describe, expect, it } from '@jest/globals';
import { counterWentBack, needsPasskey } from './passkey-rule.js';

describe('which decisions need a passkey', () => {
  it.each([
    ['off', 'question', false],
    ['off', 'approval', false],
    ['approvals', 'question', false],
    ['approvals', 'approval', true],
    ['all', 'question', true],
    ['all', 'approval', true],
  ] as const)('[S1] %s: a card of the kind %s: %s', (requirement, kind, needed) => {
    expect(needsPasskey(requirement, { kind })).toBe(needed);
  });
});

describe('the counter of a passkey', () => {
  it.each([
    [0, 0, false],
    [0, 1, false],
    [4, 5, false],
    [4, 4, true],
    [4, 3, true],
    [4, 0, true],
  ])('[S1] that goes from %d to %d tells of a copy: %s', (before, now, told) => {
    expect(counterWentBack({ before, now })).toBe(told);
  });
});
