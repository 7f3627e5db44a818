import { describe, expect, it } from '@jest/globals';
import type { Delta } from '#contracts';
import { coalesced } from './coalesced-deltas.js';

const delta = (offset: number, text: string, more: Partial<Delta> = {}): Delta =>
  ({ kind: 'text', turnId: 't', blockId: 'b', offset, text, ...more }) as Delta;

describe('pieces of a block in the making', () => {
  it('[D3] pieces that follow each other become one', () => {
    expect(coalesced([delta(0, 'Hel')], [delta(3, 'lo'), delta(5, '!')])).toEqual([
      delta(0, 'Hello!'),
    ]);
  });

  it('[D3] a gap is kept, so that the page can see it', () => {
    expect(coalesced([delta(0, 'Hel')], [delta(4, 'o')])).toHaveLength(2);
  });

  it('[D3] pieces of another block stay apart', () => {
    expect(coalesced([delta(0, 'a')], [delta(1, 'b', { blockId: 'c' })])).toHaveLength(2);
  });
});
