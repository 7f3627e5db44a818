import type { EventKind } from '#contracts';

/**
 * Whether an event makes its conversation the latest on the board (D2). What a person arranges about it, and what
 * hub and relay settle between them, is nothing that was done in it.
 */
const MOVES: { readonly [K in EventKind]: boolean } = {
  'conversation-created': true,
  'message-accepted': true,
  'message-picked-up': true,
  'message-cancelled': true,
  'turn-started': true,
  text: true,
  thought: true,
  'tool-called': true,
  'tool-returned': true,
  'turn-ended': true,
  notice: true,
  'request-opened': true,
  'card-settled': true,
  'request-closed': true,
  'request-detached': false,
  'delivery-changed': false,
  'deadline-extended': false,
  'mode-changed': false,
  'mode-acknowledged': false,
  'stop-asked': true,
  renamed: false,
  tombstone: true,
};

export const movesOnBoard = (kind: EventKind): boolean => MOVES[kind];
