import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findUnstorable, textLength } from './unstorable.js';

describe('text that PostgreSQL refuses', () => {
  it('[link.6] is found wherever it stands, by its path', () => {
    expect(findUnstorable({ a: [{ b: 'fine' }, { c: 'x\0' }] })).toBe('a.1.c');
  });
  it('[link.6] is found in a key too', () => {
    expect(findUnstorable({ a: { 'k\ud800': 1 } })).toBe('a');
  });
  it('[link.6] is not found in any well-formed text without U+0000', () => {
    const storable = fc
      .string({ unit: 'binary' })
      .map((text) => text.replaceAll('\0', '').toWellFormed());
    fc.assert(fc.property(storable, (text) => findUnstorable({ text }) === undefined));
  });
});

describe('the weight of a write', () => {
  it('[stack] is all the text in it', () => {
    expect(textLength({ a: 'abc', b: [{ c: 'de' }, 1, null] })).toBe(5);
  });
});
