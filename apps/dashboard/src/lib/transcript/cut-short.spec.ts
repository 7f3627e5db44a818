import { describe, expect, it } from '@jest/globals';
import { type EventBody } from '#contracts';
import {
  aLaptop,
  aText,
  aTurn,
  messageAccepted,
  numbered,
  turnStarted,
} from '../../../../../test/support/event-builders.js';
import { isCutShort } from './cut-short.js';
import { Transcript } from './transcript.js';

const restarted: EventBody = {
  kind: 'notice',
  severity: 'warning',
  code: 'relay-restarted',
  params: {},
  text: 'The relay was restarted, so the turn was cut short.',
};
const interrupted: EventBody = { kind: 'turn-ended', turnId: aTurn, outcome: 'interrupted' };
const isCut = (...bodies: EventBody[]): boolean => {
  const transcript = new Transcript();
  transcript.append(numbered([turnStarted, aText('b', 'I begin'), ...bodies]));
  return isCutShort(transcript.items);
};

describe('a turn that was cut short', () => {
  it('[C9] is one whose relay was restarted in its middle', () => {
    expect(isCut(restarted, interrupted)).toBe(true);
  });

  it('[C9] is not one that the person stopped', () => {
    expect(isCut({ kind: 'stop-asked', by: aLaptop }, interrupted)).toBe(false);
  });

  it('[C9] is one no more once the agent has a further message', () => {
    expect(isCut(restarted, interrupted, messageAccepted(30, false))).toBe(false);
  });
});
