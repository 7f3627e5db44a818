import type { ConversationState } from '../journal/journal-shapes.js';

/**
 * Whether the hub waits for a turn that nothing brings any more: it counts on one for a message that is not on its
 * way to the agent. It hands out nothing until it hears of one, so an empty one is told.
 */
export function owesEmptyTurn({ owesTurn, turnId, work }: Readonly<ConversationState>): boolean {
  return owesTurn === true && turnId === undefined && work.every(({ kind }) => kind === 'answer');
}
