import { describe, expect, it } from '@jest/globals';
import { movesOnBoard } from '../index.js';

describe('what makes a conversation the latest on the board', () => {
  it.each(['text', 'message-accepted', 'turn-ended', 'request-opened'] as const)(
    '[D2] is what was done in it: %s',
    (kind) => {
      expect(movesOnBoard(kind)).toBe(true);
    },
  );

  it.each(['renamed', 'mode-acknowledged', 'request-detached', 'delivery-changed'] as const)(
    '[D2] is not what was arranged about it: %s',
    (kind) => {
      expect(movesOnBoard(kind)).toBe(false);
    },
  );
});
