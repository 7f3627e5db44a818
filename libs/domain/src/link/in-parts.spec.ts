import { describe, expect, it } from '@jest/globals';
import { inParts } from './in-parts.js';

const itself = (bytes: number): number => bytes;

describe('what goes over the link in parts', () => {
  it('[link.6] is together as far as it fits, in its order', () => {
    expect(inParts([4, 5, 3, 2, 9], itself, { bytes: 10 })).toEqual([[4, 5], [3, 2], [9]]);
  });

  it('[link.6] has a part of its own where it is larger than one', () => {
    expect(inParts([1, 12, 1], itself, { bytes: 10 })).toEqual([[1], [12], [1]]);
  });

  it('[link.6] is no more pieces in a part than agreed', () => {
    expect(inParts([1, 1, 1], itself, { bytes: 10, count: 2 })).toEqual([[1, 1], [1]]);
  });

  it('[link.6] is no part where it is nothing', () => {
    expect(inParts([], itself, { bytes: 10 })).toEqual([]);
  });
});
