import { describe, expect, it } from '@jest/globals';
import { ConversationId } from '#contracts';
import { beginsIncarnation, knowsMore } from '../index.js';

const conversationId = ConversationId.parse('00000000-0000-4000-8000-000000000001');
const ours = { conversationId, epoch: 1, sent: 4, received: 7, remembers: null, firstKept: 5 };
const theirs = { conversationId, epoch: 1, sent: 9, received: 4, acked: 7 };

describe('a relay that knows more than the hub', () => {
  it('[link.10] is none whose unacknowledged messages the hub has not', () => {
    expect(knowsMore(theirs, ours)).toBe(false);
  });
  it('[link.10] was acknowledged beyond what the hub has', () => {
    expect(knowsMore({ ...theirs, acked: 8 }, ours)).toBe(true);
  });
  it('[link.10] has more than the hub remembers having said', () => {
    expect(knowsMore({ ...theirs, received: 5 }, ours)).toBe(true);
  });
});

describe('a new incarnation', () => {
  const incarnations = { current: 'two', earlier: ['one'] };

  it.each([
    ['begins with a relay of the one in force', 'two', true],
    ['begins with a relay of one that the database knows nothing of', 'three', true],
    ['begins with a relay that does not know of which it is', undefined, true],
    ['has begun already for a relay of the one before', 'one', false],
  ])('[link.10] %s', (_what, last, begins) => {
    expect(beginsIncarnation({ knowsMore: true, last, incarnations })).toBe(begins);
  });
  it('[link.10] does not begin with a relay that knows no more', () => {
    expect(beginsIncarnation({ knowsMore: false, last: 'two', incarnations })).toBe(false);
  });
});
