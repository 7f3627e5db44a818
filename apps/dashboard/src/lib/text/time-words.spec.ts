import { describe, expect, it } from '@jest/globals';
import { span, timeAgo } from './time-words.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 5, 15, 12);

describe('a moment beside now', () => {
  it.each([
    [10_000, 'now'],
    [3 * MINUTE, '3 min. ago'],
    [5 * HOUR, '5 hr. ago'],
    [DAY, 'yesterday'],
    [20 * DAY, 'May 26'],
    [400 * DAY, 'May 11, 2025'],
  ])('[D2] %d ms ago is "%s"', (passed, words) => {
    expect(timeAgo(now - passed, now, 'en')).toBe(words);
  });

  it('[C7] is now where this device’s clock is behind the hub’s', () => {
    expect(timeAgo(now + HOUR, now, 'en')).toBe('now');
  });

  it('[D7] is said in the language that is shown', () => {
    expect(timeAgo(now - 3 * MINUTE, now, 'de')).toBe('vor 3 Min.');
  });
});

describe('a span', () => {
  it.each([
    [7 * HOUR + 42 * MINUTE + 5_000, '7 hr 42 min'],
    [8 * HOUR, '8 hr'],
    [59_999, '59 sec'],
    [MINUTE + 30_000, '1 min'],
    [2 * DAY + HOUR, '2 days 1 hr'],
    [0, '0 sec'],
    [-5, '0 sec'],
  ])('[C7] of %d ms is "%s"', (duration, words) => {
    expect(span(duration, 'en')).toBe(words);
  });
});
