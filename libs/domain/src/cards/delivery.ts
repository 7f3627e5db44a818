import type { CardRequest, Delivery } from '#contracts';

/** How far an answer has come (C11). Reports arrive twice and late; the further one stands. */
const PROGRESS: { [D in Delivery]: number } = {
  none: 0,
  pending: 1,
  handed: 2,
  sent: 3,
  superseded: 3,
  // The client's own evidence outweighs what we meant to do.
  delivered: 4,
};

/** Whether a report of an answer's way is news. */
export function deliveryAdvances(from: Delivery, to: Delivery): boolean {
  return PROGRESS[to] > PROGRESS[from];
}

/** Whether the answer of a closed request is on its way and not yet known to have arrived. */
export function isUnconfirmed(request: Pick<CardRequest, 'status' | 'delivery'>): boolean {
  return request.status === 'closed' && ['pending', 'handed'].includes(request.delivery);
}
