import { cutText, makeVisible, type RelayMessage, type RelayMessageOf } from '#contracts';

const MOST = 2_000;
const PLAIN = 'The hub refused a message, and the reason that it gave for that as well.';

/**
 * What stands in the place of a message that the hub refused for good (link rule 6). Of a tombstone that was refused
 * too only a fixed text is left. Throws where even that was refused: nothing is ever re-sent for ever.
 */
export function tombstoneFor(refused: RelayMessage, reason: string): RelayMessageOf<'tombstone'> {
  if (refused.kind !== 'tombstone') {
    return { kind: 'tombstone', what: refused.kind, reason: cutText(makeVisible(reason), MOST) };
  }
  if (refused.reason === PLAIN) throw new Error('the hub refuses every message of a conversation');
  return { ...refused, reason: PLAIN };
}
