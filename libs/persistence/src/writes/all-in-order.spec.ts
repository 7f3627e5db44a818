import { describe, expect, it } from '@jest/globals';
import { allInOrder } from './all-in-order.js';

describe('statements that were sent together', () => {
  it('[link.6] fail with the first failure by order, whichever is heard of first', async () => {
    const late = new Promise<never>((_, reject) => setImmediate(() => reject(new Error('why'))));
    const early = Promise.reject(new Error('aborted because of it'));

    await expect(allInOrder([late, early])).rejects.toThrow('why');
  });
  it('[stack] give their results in order', async () => {
    expect(await allInOrder([Promise.resolve(1), Promise.resolve('b')])).toEqual([1, 'b']);
  });
});
