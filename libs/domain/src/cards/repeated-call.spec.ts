import { describe, expect, it } from '@jest/globals';
import { ToolCallId, TurnId, type CardRequest } from '#contracts';
import { aRequest } from '../../../../test/support/card-builders.js';
import { repeatedRequest } from '../index.js';

const earlier = (more: Partial<CardRequest>) => [
  { request: { ...aRequest({ questions: 1 }), ...more }, canonical: 'same' },
];
const TURN = TurnId.parse('00000000-0000-4000-8000-000000000001');
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
  it('[C12] is another one while the first call still waits in the same turn', () => {
    expect(repeatedRequest(newId, earlier({ detached: false }))).toBeUndefined();
    expect(
      repeatedRequest({ ...newId, turnId: TURN }, earlier({ detached: false, turnId: TURN })),
    ).toBeUndefined();
  });
  it('[C12] is the same by its questions while the first, of an earlier turn, is open', () => {
    expect(
      repeatedRequest(
        { ...newId, turnId: TURN },
        earlier({ detached: false, turnId: TurnId.parse('00000000-0000-4000-8000-000000000002') }),
      ),
    ).toBeDefined();
  });
  it('[C12] is another one where another sub-agent asks the same', () => {
    const call = { ...newId, askedBy: 'the reviewer' };
    for (const askedBy of [undefined, 'the tester']) {
      const first = { detached: true, ...(askedBy === undefined ? {} : { askedBy }) };
      expect(repeatedRequest(call, earlier(first))).toBeUndefined();
    }
    expect(
      repeatedRequest(call, earlier({ detached: true, askedBy: 'the reviewer' })),
    ).toBeDefined();
  });
  it('[C12] is another one once the first answer has arrived', () => {
    expect(
      repeatedRequest(newId, earlier({ status: 'closed', delivery: 'delivered' })),
    ).toBeUndefined();
  });
});
