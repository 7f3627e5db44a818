import { describe, expect, it } from '@jest/globals';
import { ToolCallId, type CardRequest } from '#contracts';
import { aRequest } from '../../../../test/support/card-builders.js';
import { repeatedRequest } from '../index.js';

const earlier = (more: Partial<CardRequest>) => [
  { request: { ...aRequest({ questions: 1 }), ...more }, canonical: 'same' },
];
const newId = { toolCallId: ToolCallId.parse('toolu_2'), canonical: 'same' };

describe('a call that is made again', () => {
  it('[C12] is the same request by its tool call, closed or not', () => {
    const call = { toolCallId: ToolCallId.parse('toolu_1'), canonical: 'other' };
    expect(
      repeatedRequest(call, earlier({ status: 'closed', delivery: 'delivered' })),
    ).toBeDefined();
  });
  it('[C12] is the same by its questions when the first call is gone', () => {
    expect(repeatedRequest(newId, earlier({ detached: true }))).toBeDefined();
  });
  it('[C12] is the same by its questions while the answer is unconfirmed', () => {
    expect(
      repeatedRequest(newId, earlier({ status: 'closed', delivery: 'pending' })),
    ).toBeDefined();
  });
  it('[C12] is another one while the first call still waits', () => {
    expect(repeatedRequest(newId, earlier({ detached: false }))).toBeUndefined();
  });
  it('[C12] is another one once the first answer has arrived', () => {
    expect(
      repeatedRequest(newId, earlier({ status: 'closed', delivery: 'delivered' })),
    ).toBeUndefined();
  });
});
