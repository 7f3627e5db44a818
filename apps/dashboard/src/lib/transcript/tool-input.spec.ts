import { describe, expect, it } from '@jest/globals';
import { inputAsText, viewToolInput } from './tool-input.js';

describe('the arguments of a tool call', () => {
  it.each([
    [{ path: 'a.ts', old_string: 'x', new_string: 'y' }],
    [{ path: 'a.ts', oldText: 'x', newText: 'y' }],
    [{ path: 'a.ts', edits: [{ old_str: 'x', new_str: 'y' }] }],
  ])('[D3] that replace text are seen as a change: %j', (input) => {
    expect(viewToolInput(input)).toEqual({
      subject: 'a.ts',
      replacements: [{ before: 'x', after: 'y' }],
      rest: undefined,
    });
  });

  it('[D3] keep beside a change what is not part of it', () => {
    const view = viewToolInput({ old_string: 'x', new_string: 'y', replace_all: true });
    expect(view.rest).toEqual({ replace_all: true });
  });

  it.each([[{ command: 'ls' }], [{ old: 'x' }], [{ older: 'x', newer: 'y' }], ['text'], [[1, 2]]])(
    '[D3] that replace nothing stay as they are: %j',
    (input) => {
      expect(viewToolInput(input)).toEqual({ subject: undefined, replacements: [], rest: input });
    },
  );

  it('[D3] are shown as the text itself where there is just one', () => {
    expect(inputAsText({ command: 'npm test' })).toBe('npm test');
  });

  it('[D3] are shown as indented JSON otherwise', () => {
    expect(inputAsText({ a: 1, b: 'x' })).toBe('{\n  "a": 1,\n  "b": "x"\n}');
  });
});
