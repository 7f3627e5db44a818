import { describe, expect, it } from '@jest/globals';
import { inputAsText, viewToolInput } from './tool-input.js';

describe('the arguments of a tool call', () => {
  it.each([
    [{ path: 'a.ts', old_string: 'x', new_string: 'y' }],
    [{ path: 'a.ts', oldText: 'x', newText: 'y' }],
    [{ path: 'a.ts', edits: [{ old_str: 'x', new_str: 'y' }] }],
  ])('[D3] that replace text are seen as a change: %j', (input) => {
    expect(viewToolInput(input)).toMatchObject({
      subject: 'a.ts',
      replacements: [{ before: 'x', after: 'y' }],
      rest: [],
    });
  });

  it('[D3] keep beside a change what is not part of it', () => {
    const view = viewToolInput({ old_string: 'x', new_string: 'y', replace_all: true });
    expect(view.rest).toEqual([{ name: 'replace_all', text: 'true', structured: false }]);
  });

  it('[D3] that run something have their command, and say beside it what it is for', () => {
    expect(viewToolInput({ command: 'npm test', description: 'Run the tests' })).toMatchObject({
      command: 'npm test',
      rest: [{ name: 'description', text: 'Run the tests' }],
    });
  });

  it('[D3] that write a file have what it is to hold', () => {
    expect(viewToolInput({ file_path: '/a/b.ts', content: 'one\ntwo' })).toMatchObject({
      subject: '/a/b.ts',
      content: 'one\ntwo',
      rest: [],
    });
  });

  it('[D3] that are content of no file stay an argument', () => {
    expect(viewToolInput({ content: 'a note' })).toMatchObject({
      content: undefined,
      rest: [{ name: 'content', text: 'a note' }],
    });
  });

  it('[D3] that are none of these are told by name, structure as code', () => {
    expect(viewToolInput({ url: 'https://example.com', limits: { most: 3 } }).rest).toEqual([
      { name: 'url', text: 'https://example.com', structured: false },
      { name: 'limits', text: '{\n  "most": 3\n}', structured: true },
    ]);
  });

  it.each([[{ old: 'x' }], [{ older: 'x', newer: 'y' }], ['text'], [[1, 2]], [null]])(
    '[D3] that replace nothing are no change: %j',
    (input) => {
      expect(viewToolInput(input).replacements).toEqual([]);
    },
  );

  it('[D3] that were too large are their beginning, as it came', () => {
    expect(viewToolInput('{"content":"cut h').rest).toEqual([
      { name: '', text: '{"content":"cut h', structured: false },
    ]);
  });

  it('[D3] can be read as the agent gave them', () => {
    expect(inputAsText({ a: 1, b: 'x' })).toBe('{\n  "a": 1,\n  "b": "x"\n}');
  });
});
