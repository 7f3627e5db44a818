import { describe, expect, it } from '@jest/globals';
import { type Question } from '#contracts';
import { answerWords, brief } from './answer-words.js';

describe('a text in brief', () => {
  it('[C13] is its first line that says something, without marks', () => {
    expect(brief('\n## **Which** `database`?\n\nmore')).toBe('Which database?');
  });

  it('[C13] shows the words of a link', () => {
    expect(brief('See [the guide](https://example.com/a) first')).toBe('See the guide first');
  });

  it('[C13] is cut to its length', () => {
    expect(brief('a'.repeat(50), 10)).toBe(`${'a'.repeat(9)}…`);
  });
});

describe('an answer in one line', () => {
  it('[C13] leaves out what the agent said of its recommendation', () => {
    const question: Question = {
      kind: 'question',
      question: 'Where?',
      options: [{ label: 'In memory (Recommended)' }, { label: 'On disk' }],
      recommended: 0,
      allowsSeveral: false,
      offersSelectSeveral: false,
      notes: [],
    };
    expect(answerWords(question, { choices: [0], text: 'for a minute' })).toBe(
      'In memory; for a minute',
    );
  });
});
