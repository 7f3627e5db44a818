import { describe, expect, it } from '@jest/globals';
import { LIMITS, type HubEnvelope } from '#contracts';
import { inFrames } from './link-frames.js';

const saying = (n: number, characters: number): HubEnvelope =>
  ({ n, message: { kind: 'message', text: 'é'.repeat(characters) } }) as unknown as HubEnvelope;
const numbers = (frames: HubEnvelope[][]): number[][] => frames.map((of) => of.map(({ n }) => n));

describe('the frames in which the hub speaks to a relay', () => {
  it('[link.6] hold what fits, in its order', () => {
    const messages = [1, 2, 3].map((n) => saying(n, 60_000));
    expect(numbers(inFrames(messages))).toEqual([[1, 2], [3]]);
  });

  it('[link.6] are no larger than agreed, counted in bytes', () => {
    const messages = Array.from({ length: 40 }, (_, n) => saying(n, 20_000));
    const bytes = inFrames(messages).map((frame) =>
      Buffer.byteLength(JSON.stringify({ messages: frame })),
    );
    expect(Math.max(...bytes)).toBeLessThanOrEqual(LIMITS.linkFrameBytes);
  });

  it('[link.6] give a message that is larger by itself one of its own', () => {
    const messages = [saying(1, 10), saying(2, 200_000), saying(3, 10)];
    expect(numbers(inFrames(messages))).toEqual([[1], [2], [3]]);
  });

  it('[link.6] are none where there is nothing to say', () => {
    expect(inFrames([])).toEqual([]);
  });
});
