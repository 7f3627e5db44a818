import { describe, expect, it } from '@jest/globals';
import { afterAttach, holderOf, nextTokenNumber, type TokenBook } from '../index.js';

const book: TokenBook = { current: 'five', next: 'six', issued: 6 };
const shown = (hash: string, n: number, genuine = true) => ({ hash, n, genuine });

describe('who holds a key', () => {
  it('[link.7] without a token on record the first that comes is taken', () => {
    expect(holderOf({ issued: 0 }, undefined)).toBe('first');
  });
  it.each([
    ['current', shown('five', 5)],
    ['next', shown('six', 6)],
  ])('[link.7] the %s token is good', (holder, token) => {
    expect(holderOf(book, token)).toBe(holder);
  });
  it.each([
    ['none at all', undefined],
    ['one of an earlier attach', shown('four', 4)],
    ['another one of the same number', shown('also six', 6)],
    ['one that this hub did not sign', shown('nine', 9, false)],
  ])('[link.7] who shows %s is another holder', (_what, token) => {
    expect(holderOf(book, token)).toBe('other');
  });
  it('[link.10] one of ours that is not on record says that the record is older', () => {
    expect(holderOf(book, shown('nine', 9))).toBe('ahead');
  });
});

describe('the record of tokens', () => {
  const issued = { hash: 'new', n: 7 };

  it('[link.7] keeps the token that was shown good until the new one is confirmed', () => {
    const after = afterAttach({ book, holder: 'current', shown: shown('five', 5), issued });
    expect(after).toEqual({ current: 'five', next: 'new', issued: 7 });
  });
  it('[link.7] takes a token that is used as confirmed', () => {
    const after = afterAttach({ book, holder: 'next', shown: shown('six', 6), issued });
    expect(holderOf(after, shown('five', 5))).toBe('other');
  });
  it('[link.7] stays open to the first that comes until one is confirmed', () => {
    const after = afterAttach({
      ...{ book: { issued: 0 }, holder: 'first', shown: undefined },
      issued: { hash: 'one', n: 1 },
    });
    expect(holderOf(after, undefined)).toBe('first');
  });
  it('[link.10] never gives out a number twice, whatever an older record says', () => {
    expect(nextTokenNumber({ issued: 3 }, shown('nine', 9))).toBe(10);
  });
});
