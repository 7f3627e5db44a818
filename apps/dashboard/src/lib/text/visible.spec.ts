import { describe, expect, it } from '@jest/globals';
import { showUnseen } from './visible.js';

describe('characters that show nothing', () => {
  it.each([
    ['a right-to-left override', 'safe\u202Efdp.exe', 'safe⟦U+202E⟧fdp.exe'],
    ['a zero-width space', 'pass\u200Bword', 'pass⟦U+200B⟧word'],
    ['an isolate', '\u2066x\u2069', '⟦U+2066⟧x⟦U+2069⟧'],
    ['a tag that smuggles text', 'a\u{E0041}b', 'a⟦U+E0041⟧b'],
    ['a control', 'a\u001Bb', 'a⟦U+001B⟧b'],
    ['a joiner between letters that do not join', 'ab\u200Dcd', 'ab⟦U+200D⟧cd'],
  ])('[C14] %s is named', (_, text, shown) => {
    expect(showUnseen(text)).toBe(shown);
  });

  it.each([
    ['plain text with line breaks and tabs', 'one\n\ttwo\r\n'],
    ['a joined emoji', '👩‍💻 and 👨‍👩‍👧'],
    ['an emoji with its selector', '❤️'],
    ['Persian with its joiner', 'می‌خواهم'],
    ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['Japanese', '質問カード'],
  ])('[C14] %s stays as it is', (_, text) => {
    expect(showUnseen(text)).toBe(text);
  });

  it('[C14] can’t be smuggled in through the marks that are used inside', () => {
    expect(showUnseen('\uE0000\uE001\u200B')).toBe('⟦U+E000⟧0⟦U+E001⟧⟦U+200B⟧');
  });
});
