import { describe, expect, it } from '@jest/globals';
import { showLookAlikes } from './look-alikes.js';

describe('characters that pass for others', () => {
  it.each([
    ['a Cyrillic letter in a Latin word', 'curl g\u043Eogle.com', 'curl g\u043E⟦U+043E⟧ogle.com'],
    [
      'a word of nothing but look-alikes',
      '\u0441\u043E\u0440',
      '\u0441⟦U+0441⟧\u043E⟦U+043E⟧\u0440⟦U+0440⟧',
    ],
    ['a wide form', 'rm \uFF0Frf', 'rm \uFF0F⟦U+FF0F⟧rf'],
    ['a hyphen that is none', 'rm \u2010rf', 'rm \u2010⟦U+2010⟧rf'],
    ['a space that is none', 'a\u00A0b', 'a⟦U+00A0⟧b'],
    ['what shows nothing', 'a\u200Bb', 'a⟦U+200B⟧b'],
  ])('[C14] %s is named on an approval', (_, text, shown) => {
    expect(showLookAlikes(text)).toBe(shown);
  });

  it.each([
    ['a command', "find . -name '*.ts' | xargs wc -l > out_1.txt"],
    ['a Russian word', 'cat расчёт.txt'],
    ['a Japanese path', '/home/者/質問.md'],
    ['German', 'Größe – nein'.replace('–', '-')],
  ])('[C14] %s stays as it is', (_, text) => {
    expect(showLookAlikes(text)).toBe(text);
  });
});
