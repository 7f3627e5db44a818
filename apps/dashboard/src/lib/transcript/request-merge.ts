import { type Card, type CardRequest, type EventBody } from '#contracts';

/** Of two states of one card the later one. */
const laterCard = (held: Card | undefined, told: Card): Card =>
  held !== undefined && held.version > told.version ? held : told;

/**
 * Joins two states of one request. The larger version counts; a card never goes back to an older version
 * and a closed request never opens again, so that a late list can't bring an answered card back.
 */
export function mergeRequest(held: CardRequest | undefined, told: CardRequest): CardRequest {
  if (held === undefined) return told;
  const toldIsLater = told.version >= held.version;
  const [later, earlier] = toldIsLater ? [told, held] : [held, told];
  const known = new Map(earlier.cards.map((card) => [card.id, card]));
  const cards = later.cards.map((card) => laterCard(known.get(card.id), card));
  const merged: CardRequest = { ...later, cards };
  if (held.status === 'closed' && later.status === 'open') {
    return { ...merged, status: 'closed', outcome: held.outcome, delivery: held.delivery };
  }
  return merged;
}

/** The kinds of event that change a request. */
export type RequestChange = Extract<
  EventBody,
  {
    kind:
      | 'card-settled'
      | 'request-closed'
      | 'request-detached'
      | 'delivery-changed'
      | 'deadline-extended';
  }
>;

/** Which request an event changes. */
export function changedRequestId(change: RequestChange): CardRequest['id'] {
  return change.kind === 'card-settled' ? change.card.requestId : change.requestId;
}

function withCards(request: CardRequest, told: readonly Card[]): readonly Card[] {
  const later = new Map(told.map((card) => [card.id, card]));
  return request.cards.map((card) => {
    const candidate = later.get(card.id);
    return candidate === undefined ? card : laterCard(card, candidate);
  });
}

/** What an event makes of a request. */
export function changeRequest(request: CardRequest, change: RequestChange): CardRequest {
  switch (change.kind) {
    case 'card-settled':
      return { ...request, cards: [...withCards(request, [change.card])] };
    case 'request-closed':
      return {
        ...request,
        status: 'closed',
        outcome: change.outcome,
        cards: [...withCards(request, change.cards)],
      };
    case 'request-detached':
      return { ...request, detached: change.detached };
    case 'delivery-changed':
      return { ...request, delivery: change.delivery, possibleRepeat: change.possibleRepeat };
    case 'deadline-extended':
      return {
        ...request,
        deadlineAt: change.deadlineAt,
        ...(change.timeGivenAt === undefined ? {} : { timeGivenAt: change.timeGivenAt }),
      };
  }
}
