import { describe, expect, it } from '@jest/globals';
import { TurnId, type StoredEvent } from '#contracts';
import { newestBlocks } from './newest-blocks.js';

const turnId = TurnId.parse('00000000-0000-4000-8000-000000000001');
const text = (n: number, part?: { index: number; last: boolean }): StoredEvent => ({
  n,
  at: 0,
  body: { kind: 'text', turnId, blockId: 'b', text: 'x', ...(part === undefined ? {} : { part }) },
});

describe('the newest blocks of a conversation', () => {
  it('[link.devices] are the last ones', () => {
    expect(newestBlocks([text(1), text(2), text(3)], 2).map(({ n }) => n)).toEqual([2, 3]);
  });
  it('[link.devices] begin with the beginning of a block that came in parts', () => {
    const events = [
      text(1),
      text(2, { index: 0, last: false }),
      text(3, { index: 1, last: true }),
      text(4),
    ];
    expect(newestBlocks(events, 2).map(({ n }) => n)).toEqual([2, 3, 4]);
  });
});
