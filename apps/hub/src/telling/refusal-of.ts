import type { Card } from '#contracts';
import type { Refusal } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';

type CardRefusal = Extract<Refusal, { card: Card }>;

const CARD_SENTENCES: { [C in CardRefusal['code']]: (card: Card) => string } = {
  ALREADY_SETTLED: whoSettled,
  STALE_VERSION: () => 'The card has changed since it was shown.',
  DEADLINE_PASSED: () => 'The time to answer this card is over.',
};

/** The store's no as the hub's, with what it rests on. */
export function refusalOf(refusal: Refusal): HubRefusal {
  if ('card' in refusal) {
    const { code, card, request } = refusal;
    return new HubRefusal(code, CARD_SENTENCES[code](card), { details: { card, request } });
  }
  if (refusal.code === 'STALE_MODE') {
    const { conversation } = refusal;
    const message = 'The mode has changed since it was shown.';
    return new HubRefusal('STALE_VERSION', message, { details: { conversation } });
  }
  if (refusal.code === 'UNSTORABLE') {
    return new HubRefusal('INVALID', `The database refuses this: ${refusal.reason}`);
  }
  if ('reason' in refusal) return new HubRefusal(refusal.code, refusal.reason);
  // The link's refusals, and a message that came before, are no answers to what a person did here.
  throw new Error(`the store refused a person's write with ${refusal.code}`);
}

/** C10: who, when and with what is in the details; the sentence says who and how. */
function whoSettled(card: Card): string {
  const { settlement } = card;
  if (settlement === undefined) return 'The request that this card belongs to has ended.';
  return `This card was ${settlement.outcome} by ${settlement.by.name}.`;
}
