import { describe, expect, it } from '@jest/globals';
import { GroupCommit, type Outcome } from './group-commit.js';

/** A flush that ends when the test says so. */
function heldFlush() {
  const batches: number[][] = [];
  const releases: (() => void)[] = [];
  const flush = async (items: readonly number[]): Promise<Outcome<number>[]> => {
    batches.push([...items]);
    await new Promise<void>((resolve) => releases.push(resolve));
    return items.map((item) => ({ ok: true, result: item * 10 }));
  };
  const release = async (): Promise<void> => {
    releases.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batches, flush, release };
}
const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a group commit', () => {
  it('[stack] takes what was added at the same time in one flush', async () => {
    const { batches, flush, release } = heldFlush();
    const commits = new GroupCommit(flush, { batch: 10, queue: 10, weight: 100 });

    void commits.add(1);
    void commits.add(2);
    await turnOfTheLoop();
    await release();

    expect(batches).toEqual([[1, 2]]);
  });

  it('[stack] starts the next flush when the last one has ended, with all that came in between', async () => {
    const { batches, flush, release } = heldFlush();
    const commits = new GroupCommit(flush, { batch: 10, queue: 10, weight: 100 });
    void commits.add(1);
    await turnOfTheLoop();
    void commits.add(2);
    void commits.add(3);
    await turnOfTheLoop();
    const before = batches.length;

    await release();

    expect([before, batches]).toEqual([1, [[1], [2, 3]]]);
  });

  it('[stack] gives each caller its own result', async () => {
    const commits = new GroupCommit<number, number>(
      async (items) =>
        items.map((item) =>
          item === 2 ? { ok: false, error: new Error('two') } : { ok: true, result: item },
        ),
      { batch: 10, queue: 10, weight: 100 },
    );

    const results = await Promise.allSettled([commits.add(1), commits.add(2), commits.add(3)]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('[stack] lets who adds to a full queue wait until there is room', async () => {
    const { batches, flush, release } = heldFlush();
    const commits = new GroupCommit(flush, { batch: 2, queue: 2, weight: 100 });
    void commits.add(1);
    await turnOfTheLoop();
    [2, 3, 4].forEach((item) => void commits.add(item));
    await turnOfTheLoop();

    await release();
    await release();
    await release();

    expect(batches).toEqual([[1], [2, 3], [4]]);
  });

  it('[stack] takes no more into one flush than it can carry, and what is heavier by itself', async () => {
    const { batches, flush, release } = heldFlush();
    const commits = new GroupCommit(flush, { batch: 10, queue: 10, weight: 100 });

    [60, 60, 30, 500, 1].forEach((weight) => void commits.add(weight, weight));
    for (let flushes = 0; flushes < 4; flushes += 1) {
      await turnOfTheLoop();
      await release();
    }

    expect(batches).toEqual([[60], [60, 30], [500], [1]]);
  });

  it('[stack] has nothing left when it has drained', async () => {
    const done: number[] = [];
    const commits = new GroupCommit<number, void>(
      async (items) => {
        await turnOfTheLoop();
        done.push(...items);
        return items.map(() => ({ ok: true, result: undefined }));
      },
      { batch: 1, queue: 10, weight: 100 },
    );
    [1, 2, 3].forEach((item) => void commits.add(item));

    await commits.drain();

    expect(done).toEqual([1, 2, 3]);
  });
});
