import { describe, expect, it } from '@jest/globals';
import { patchLines } from './unified-diff.js';

const PATCH = `===================================================================
--- /home/me/a.md
+++ /home/me/a.md
@@ -1,2 +1,2 @@
-one
+two
 same
\\ No newline at end of file
`;

describe('a unified diff', () => {
  it('[M3] is read line by line, without its head', () => {
    expect(patchLines(PATCH)).toEqual([
      { kind: 'removed', text: 'one' },
      { kind: 'added', text: 'two' },
      { kind: 'same', text: 'same' },
    ]);
  });

  it('[M3] has a mark between two of its pieces', () => {
    expect(patchLines('@@ -1 +1 @@\n-a\n@@ -9 +9 @@\n-b').map(({ kind }) => kind)).toEqual([
      'removed',
      'gap',
      'removed',
    ]);
  });

  it('[M3] keeps a line that begins like a head', () => {
    expect(patchLines('@@ -1 +1 @@\n--- a list\n+++ b list')).toEqual([
      { kind: 'removed', text: '-- a list' },
      { kind: 'added', text: '++ b list' },
    ]);
  });
});
