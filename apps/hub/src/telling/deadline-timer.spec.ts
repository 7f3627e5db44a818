import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Committed } from '#domain';
import { DeadlineTimer } from './deadline-timer.js';

const opened = (deadlineAt: number): Committed =>
  ({ events: [{ at: 1_000 }], requests: [{ status: 'open', deadlineAt }] }) as unknown as Committed;

let timer: DeadlineTimer;
let looks: number;
let next: number | undefined;

beforeEach(async () => {
  jest.useFakeTimers();
  timer = new DeadlineTimer();
  looks = 0;
  next = undefined;
  timer.start(() => {
    looks += 1;
    return Promise.resolve(next);
  });
  await jest.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  timer.onApplicationShutdown();
  jest.useRealTimers();
});

describe('the timer of the deadlines', () => {
  it('[C7] looks at once when the hub starts', () => expect(looks).toBe(1));

  it('[C7] rings when the nearest deadline passes', async () => {
    timer.noticed(opened(3_000));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(looks).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(looks).toBe(2);
  });

  it('[C7] a later deadline does not put off a nearer one', async () => {
    timer.noticed(opened(3_000));
    timer.noticed(opened(5_500));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(looks).toBe(2);
  });

  it('[C7] a deadline beyond the longest timer does not ring at once', async () => {
    timer.noticed(opened(2 ** 40));
    await jest.advanceTimersByTimeAsync(4_000);
    expect(looks).toBe(1);
  });

  it('[C7] looks every few seconds whatever was told', async () => {
    next = 2 ** 40;
    await jest.advanceTimersByTimeAsync(5_000 * 3);
    expect(looks).toBe(4);
  });

  it('[C7] looks again after a look that failed', async () => {
    timer.onApplicationShutdown();
    timer = new DeadlineTimer();
    let tries = 0;
    timer.start(() => {
      tries += 1;
      return Promise.reject(new Error('away'));
    });
    await jest.advanceTimersByTimeAsync(2_500);
    expect(tries).toBe(3);
  });
});
