import type { CardRequest } from '#contracts';
import {
  closeOpenCards,
  deliveryAdvances,
  giveAnswer,
  repeatedRequest,
  type Call,
  type Fence,
  type IntakeEffect,
  type NewRequest,
  type Refusal,
  type Write,
} from '#domain';
import { canonicalHash } from './canonical-hash.js';
import type { ConversationDraft, RequestDraft } from './conversation-draft.js';
import { letThrough } from './plan-mode.js';
import { planToldBack } from './plan-told-back.js';

/** A relay's message: its fence first (link rules 1 and 2), then each thing that the domain says it does. */
export function planIntake(
  draft: ConversationDraft,
  { fence, effect }: Extract<Write, { kind: 'intake' }>,
): Refusal | undefined {
  const refusal = checkFence(draft, fence);
  if (refusal !== undefined) return refusal;
  draft.head.receivedN = fence.n + (effect.standsFor ?? 1) - 1;
  // What a relay still says of a deleted conversation is acknowledged and forgotten.
  if (draft.row.deletedAt !== null) return undefined;
  applyPatch(draft, effect);
  effect.events.forEach((event) => draft.log(event));
  if (effect.open !== undefined) openRequest(draft, effect.open);
  if (effect.close !== undefined) closeRequest(draft, effect.close);
  markDetached(draft, effect);
  if (effect.delivery !== undefined) reportDelivery(draft, effect.delivery);
  if (effect.pickedUp !== undefined) pickUp(draft, effect.pickedUp);
  if (effect.modeAcknowledged !== undefined) acknowledgeMode(draft, effect.modeAcknowledged);
  if (effect.toldBack !== undefined) planToldBack(draft, effect.toldBack);
  draft.handOutNext({ personActs: false });
  return undefined;
}

function checkFence({ head }: ConversationDraft, fence: Fence): Refusal | undefined {
  if (fence.relayId !== head.relayId || fence.epoch !== head.epoch) {
    return { code: 'STALE_EPOCH', epoch: head.epoch };
  }
  if (fence.n <= head.receivedN) return { code: 'DUPLICATE', received: head.receivedN };
  if (fence.n > head.receivedN + 1) return { code: 'GAP', received: head.receivedN };
  return undefined;
}

function applyPatch(draft: ConversationDraft, { patch }: IntakeEffect): void {
  const news = Object.entries(patch).filter(
    ([key, value]) => value !== undefined && draft.row[key as keyof typeof patch] !== value,
  );
  if (news.length > 0) draft.change(Object.fromEntries(news));
}

function openRequest(draft: ConversationDraft, open: NewRequest): void {
  const canonical = canonicalHash(open.canonical);
  const earlier = draft.requests.map((request) => ({
    draft: request,
    request: request.now,
    canonical: request.canonical,
  }));
  const repeated = repeatedRequest({ ...callOf(open), canonical }, earlier);
  if (repeated !== undefined) return attachAgain(draft, repeated.draft, open);
  const request = newRequest(draft, open);
  const opened = draft.open(request, canonical);
  draft.log({ kind: 'request-opened', request });
  letThrough(draft, opened);
}

function callOf({ toolCallId, turnId, askedBy }: NewRequest): Omit<Call, 'canonical'> {
  return {
    toolCallId,
    ...(turnId === undefined ? {} : { turnId }),
    ...(askedBy === undefined ? {} : { askedBy }),
  };
}

function newRequest(draft: ConversationDraft, open: NewRequest): CardRequest {
  const conversationId = draft.row.id;
  const { requestId } = open;
  return {
    id: requestId,
    conversationId,
    ...(open.turnId === undefined ? {} : { turnId: open.turnId }),
    toolCallId: open.toolCallId,
    status: 'open',
    openedAt: draft.now,
    deadlineAt: draft.now + open.waits,
    deadlineOurs: open.deadlineOurs,
    detached: false,
    delivery: 'none',
    possibleRepeat: false,
    ...(open.askedBy === undefined ? {} : { askedBy: open.askedBy }),
    version: 1,
    cards: open.questions.map((body, position) => {
      const id = open.cardIds[position];
      if (id === undefined) throw new Error('a request needs an id for each of its cards');
      return { id, requestId, conversationId, position, version: 1, body, status: 'open' as const };
    }),
  };
}

/** C12: the same request; the call that waits now takes the place of the one before, or gets the recorded answer. */
function attachAgain(draft: ConversationDraft, request: RequestDraft, open: NewRequest): void {
  const { now } = request;
  const next = { ...now, toolCallId: open.toolCallId, version: now.version + 1 };
  if (now.status === 'open') {
    if (now.toolCallId === open.toolCallId && !now.detached) return;
    draft.changeRequest(request, { ...next, detached: false }, 'open');
    if (now.detached) draft.log({ kind: 'request-detached', requestId: now.id, detached: false });
    return;
  }
  draft.changeRequest(request, { ...next, delivery: 'pending' }, 'any');
  draft.send(giveAnswer(request.now, draft.row.mode));
}

function closeRequest(draft: ConversationDraft, close: NonNullable<IntakeEffect['close']>): void {
  const request = draft.requests.find(
    ({ now }) => now.status === 'open' && now.toolCallId === close.toolCallId,
  );
  if (request === undefined) return;
  const of = { outcome: close.outcome, by: draft.relay, now: draft.now };
  draft.changeRequest(request, closeOpenCards(request.now, of), 'open');
  draft.closed(request);
}

/** C9: a request whose call is gone waits detached; one that its call has come back to does not. */
function markDetached(draft: ConversationDraft, effect: IntakeEffect): void {
  const marks = new Map(effect.detached?.map((mark) => [mark.toolCallId, mark.detached]));
  for (const request of draft.requests) {
    const { now } = request;
    const detached = effect.allDetached === true ? true : marks.get(now.toolCallId);
    if (now.status !== 'open' || detached === undefined || detached === now.detached) continue;
    draft.changeRequest(request, { ...now, detached, version: now.version + 1 }, 'open');
    draft.log({ kind: 'request-detached', requestId: now.id, detached });
  }
}

function reportDelivery(
  draft: ConversationDraft,
  report: NonNullable<IntakeEffect['delivery']>,
): void {
  const request = draft.requestOfAnswer(report);
  if (request === undefined || request.now.status !== 'closed') return;
  const { now } = request;
  if (!deliveryAdvances(now.delivery, report.delivery)) return;
  const possibleRepeat = now.possibleRepeat || report.possibleRepeat;
  const { delivery } = report;
  draft.changeRequest(
    request,
    { ...now, delivery, possibleRepeat, version: now.version + 1 },
    'any',
  );
  draft.log({ kind: 'delivery-changed', requestId: now.id, delivery, possibleRepeat });
}

function pickUp(draft: ConversationDraft, messageId: NonNullable<IntakeEffect['pickedUp']>): void {
  const message = draft.messages.find(({ row }) => row.id === messageId);
  // Cancelled when the agent had it already: then it is told as what it is, and the turn ends by the interrupt.
  const { status } = message?.row ?? {};
  if (message === undefined || (status !== 'handed' && status !== 'cancelled')) return;
  message.row.status = 'picked-up';
  message.changed = true;
  draft.log({ kind: 'message-picked-up', messageId });
}

function acknowledgeMode(draft: ConversationDraft, version: number): void {
  const { modeAcknowledged, modeVersion } = draft.row;
  if (version <= modeAcknowledged || version > modeVersion) return;
  draft.change({ modeAcknowledged: version });
  draft.log({ kind: 'mode-acknowledged', version });
}
