import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutText, makeJsonVisible, makeVisible, storableText } from './index.js';

describe('text that can be stored', () => {
  it('[link.6] NUL becomes a visible sign', () => {
    expect(makeVisible('a\0b')).toBe('a\u2400b');
  });
  it('[link.6] half a surrogate pair becomes the replacement character', () => {
    expect(makeVisible('a\ud800b')).toBe('a\ufffdb');
  });
  it('[link.6] whatever the text, what comes out can be stored', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => storableText(1_000_000).safeParse(makeVisible(text)).success,
      ),
    );
  });
  it('[link.6] keys and values deep in JSON are made visible too', () => {
    expect(makeJsonVisible({ 'k\0': ['\ud800', { x: 'y\0' }] })).toEqual({
      'k\u2400': ['\ufffd', { x: 'y\u2400' }],
    });
  });
  it('[C14] a cut does not split a pair', () => {
    expect(cutText('ab😀', 3)).toBe('ab');
  });
  it('[C3] what cannot be stored is refused with the reason', () => {
    expect(storableText(10).safeParse('a\0').error?.issues[0]?.message).toBe(
      'must not contain the character U+0000',
    );
  });
});
