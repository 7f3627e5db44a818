import { describe, expect, it } from '@jest/globals';
import { type EventBody } from '#contracts';
import {
  aText,
  numbered,
  turnEnded,
  turnStarted,
} from '../../../../../test/support/event-builders.js';
import { withRetriesJoined } from './retries.js';
import { Transcript } from './transcript.js';

const retry = (attempt: number): EventBody => ({
  kind: 'notice',
  severity: 'warning',
  code: 'api-retry',
  params: { attempt: String(attempt) },
  text: `Trying again (${attempt} of 10).`,
});
const shown = (bodies: readonly EventBody[]): ReturnType<typeof withRetriesJoined> => {
  const transcript = new Transcript();
  transcript.append(numbered(bodies));
  return withRetriesJoined(transcript.items);
};

describe('retries of the model’s API', () => {
  it('[D3] that follow each other are one line, which tells the last', () => {
    const items = shown([turnStarted, retry(1), retry(2), retry(3)]);
    expect(items).toMatchObject([{ text: 'Trying again (3 of 10).', over: false }]);
  });

  it('[D3] stay the same line while further ones come', () => {
    const [before] = shown([turnStarted, retry(1)]);
    const [after] = shown([turnStarted, retry(1), retry(2)]);
    expect(after?.key).toBe(before?.key);
  });

  it('[D3] are over once anything came after them', () => {
    const items = shown([turnStarted, retry(1), retry(2), aText('b', 'Here I am'), turnEnded]);
    expect(items).toMatchObject([{ over: true }, { kind: 'text' }, { kind: 'turn-end' }]);
  });

  it('[D3] with something between them are lines of their own', () => {
    const items = shown([turnStarted, retry(1), aText('b', 'x'), retry(1)]);
    expect(items.map(({ kind }) => kind)).toEqual(['notice', 'text', 'notice']);
  });
});
