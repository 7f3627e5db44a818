import { describe, expect, it } from '@jest/globals';
import { deadlinePassed } from '../index.js';

const HOUR_MS = 3_600_000;
const SEEN = 10 * HOUR_MS;

describe('a deadline', () => {
  it('[C7] has passed at its very moment', () => {
    expect(deadlinePassed(SEEN, { now: SEEN, seenAt: SEEN - 5_000 })).toBe(true);
  });
  it('[C7] has not passed a moment before', () => {
    expect(deadlinePassed(SEEN, { now: SEEN - 1, seenAt: SEEN - 5_000 })).toBe(false);
  });
  it('[C7] that fell into a sleep has not passed', () => {
    expect(deadlinePassed(SEEN + HOUR_MS, { now: SEEN + 2 * HOUR_MS, seenAt: SEEN })).toBe(false);
  });
  it('[C7] that had passed before the sleep stays passed', () => {
    expect(deadlinePassed(SEEN - 1, { now: SEEN + 2 * HOUR_MS, seenAt: SEEN })).toBe(true);
  });
  it('[C7] that fell into a pause of a minute has passed: that is no sleep', () => {
    expect(deadlinePassed(SEEN + 1, { now: SEEN + 60_000, seenAt: SEEN })).toBe(true);
  });
  it('[C7] that lies before a clock set back stays passed', () => {
    expect(deadlinePassed(SEEN - 2 * HOUR_MS, { now: SEEN - HOUR_MS, seenAt: SEEN })).toBe(true);
  });
});
