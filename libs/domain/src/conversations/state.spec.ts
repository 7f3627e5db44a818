import { describe, expect, it } from '@jest/globals';
import {
  conversationState,
  firstLineOf,
  lastLineOf,
  lastPlainLineOf,
  titleFrom,
} from '../index.js';

const facts = { process: 'live', turn: 'running', openCards: 0, repliesInText: false } as const;

describe('the one word for a conversation', () => {
  it('[C5] an open card outweighs a running turn', () => {
    expect(conversationState({ ...facts, openCards: 1 })).toBe('waiting-on-you');
  });
  it('[C9] an open card keeps waiting on the person when the process is gone', () => {
    expect(conversationState({ ...facts, openCards: 1, process: 'gone', turn: 'failed' })).toBe(
      'waiting-on-you',
    );
  });
  it('[D2] a message that waits for its process shows as starting', () => {
    expect(conversationState({ ...facts, turn: 'due', process: 'asleep' })).toBe('starting');
  });
  it('[P13] a turn that ended without a question tool waits for a reply', () => {
    expect(conversationState({ ...facts, turn: 'done', repliesInText: true })).toBe(
      'waiting-for-reply',
    );
  });
  it('[D2] a finished turn whose process sleeps shows as asleep', () => {
    expect(conversationState({ ...facts, turn: 'done', process: 'asleep' })).toBe('asleep');
  });
  it('[D2] a failed turn shows as failed', () => {
    expect(conversationState({ ...facts, turn: 'failed' })).toBe('failed');
  });
});

describe('titles and last lines', () => {
  it('[D5] a title is the first line that says something, without markdown marks', () => {
    expect(titleFrom('\n\n## Move the invoices to the new service\nDetails…')).toBe(
      'Move the invoices to the new service',
    );
  });
  it('[D5] a long first line is cut at a word', () => {
    const title = titleFrom('word '.repeat(40));
    expect([title.length <= 72, title.endsWith('word…')]).toEqual([true, true]);
  });
  it('[D2] the last line is the last one that says something', () => {
    expect(lastLineOf('First.\n\nSecond,   with  spaces.\n\n')).toBe('Second, with spaces.');
  });
  it('[D2] the last line of a reply reads without its marks', () => {
    expect(lastLineOf('- **Done.** See [the guide](https://example.com) and `src/*.js`')).toBe(
      'Done. See the guide and src/*.js',
    );
  });
  it('[D2] an asterisk that marks nothing stays', () => {
    expect(firstLineOf('for f in src/*.js; do echo 2 * 3; done')).toBe(
      'for f in src/*.js; do echo 2 * 3; done',
    );
  });
  it('[D2] a command is told to the letter', () => {
    expect(lastPlainLineOf('rm *.a* && git log --format=`x`')).toBe(
      'rm *.a* && git log --format=`x`',
    );
  });
});
