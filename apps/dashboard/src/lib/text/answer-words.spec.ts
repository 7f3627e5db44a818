import { describe, expect, it } from '@jest/globals';
import { brief } from './answer-words.js';

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
