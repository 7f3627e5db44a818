import type { ConversationId, HubCursor, RelayCursor } from '#contracts';
import type { Journal } from '../journal/journal.js';

/** Where the relay is in its conversations: those in which something happens first, then the newest. */
export function placesOf(
  journals: Iterable<Journal>,
  isBusy: (id: ConversationId) => boolean,
): RelayCursor[] {
  const rests = ({ state }: Journal): number => (isBusy(state.conversationId) ? 0 : 1);
  return [...journals]
    .sort((one, other) => rests(one) - rests(other) || other.writtenAt - one.writtenAt)
    .map(placeOf);
}

/** Of conversations that the hub does not know (link rule 10): where the relay is, and what it runs there. */
export function described(
  journals: ReadonlyMap<ConversationId, Journal>,
  unknown: readonly HubCursor[],
): RelayCursor[] {
  return unknown.flatMap(({ conversationId, epoch }) => {
    const journal = journals.get(conversationId);
    if (journal?.state.epoch !== epoch || journal.state.spec === undefined) return [];
    return [{ ...placeOf(journal), session: journal.state.spec }];
  });
}

/** Only what is on the disk counts: the rest may be gone with the next cut of power. */
const placeOf = ({ state, kept }: Journal): RelayCursor => ({
  conversationId: state.conversationId,
  epoch: state.epoch,
  ...kept,
  acked: state.acked,
});
