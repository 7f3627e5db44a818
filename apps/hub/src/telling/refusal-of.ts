import type { Card } from '#contracts';
import type { Refusal } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';

/** The store's no as the hub's, with what it rests on. */
export function refusalOf(refusal: Refusal): HubRefusal {
  switch (refusal.code) {
    case 'ALREADY_SETTLED': {
      const { card, request } = refusal;
      return new HubRefusal('ALREADY_SETTLED', whoSettled(card), { details: { card, request } });
    }
    case 'STALE_VERSION': {
      const { card, request } = refusal;
      const message = 'The card has changed since it was shown.';
      return new HubRefusal('STALE_VERSION', message, { details: { card, request } });
    }
    case 'DEADLINE_PASSED': {
      const { card, request } = refusal;
      const message = 'The time to answer this card is over.';
      return new HubRefusal('DEADLINE_PASSED', message, { details: { card, request } });
    }
    case 'STALE_MODE': {
      const { conversation } = refusal;
      const message = 'The mode has changed since it was shown.';
      return new HubRefusal('STALE_VERSION', message, { details: { conversation } });
    }
    case 'UNSTORABLE':
      return new HubRefusal('INVALID', `The database refuses this: ${refusal.reason}`);
    case 'NOT_FOUND':
    case 'QUEUE_FULL':
    case 'ALREADY_PICKED_UP':
    case 'INVALID':
      return new HubRefusal(refusal.code, refusal.reason);
    case 'DUPLICATE_MESSAGE':
    case 'DUPLICATE':
    case 'GAP':
    case 'STALE_EPOCH':
      return new HubRefusal('INTERNAL', 'Something failed in the hub; its log says what.', {
        cause: refusal,
      });
  }
}

/** C10: who, when and with what is in the details; the sentence says who and how. */
function whoSettled(card: Card): string {
  const { settlement } = card;
  if (settlement === undefined) return 'The request that this card belongs to has ended.';
  return `This card was ${settlement.outcome} by ${settlement.by.name}.`;
}
