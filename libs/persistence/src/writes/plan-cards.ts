import {
  LIMITS,
  type Actor,
  type Card,
  type CardBody,
  type Decision,
  type Json,
  type RequestId,
  type Verdict,
} from '#contracts';
import {
  closeOpenCards,
  deadlinePassed,
  decisionProblem,
  isUnconfirmed,
  settle,
  type Deed,
  type Refusal,
  type Write,
} from '#domain';
import type { ConversationDraft, RequestDraft } from './conversation-draft.js';
import { changeMode, grantFor } from './plan-mode.js';

/** Who closes what nobody answered. */
const HUB: Actor = { principal: { kind: 'hub' }, name: 'hub' };

/** A person's decision on one card. The domain says what it does; {@link SETTLE} has the last word. */
export function planSettlement(
  draft: ConversationDraft,
  write: Extract<Write, { kind: 'settle-card' }>,
): Refusal | undefined {
  const { cardId, version, decision, deed } = write;
  const found = draft.requestOfCard(cardId);
  if (found === undefined) return notFound('card');
  const { draft: request, card } = found;
  const decided = settle(request.now, { cardId, version, decision, by: deed.by }, draft.clock);
  if (!decided.ok) {
    return decided.code === 'NOT_FOUND'
      ? notFound('card')
      : { code: decided.code, card, request: request.now };
  }
  const problem = decisionProblem(card.body, decision, draft.row.mode);
  if (problem !== undefined) {
    return { code: 'INVALID', reason: `${problem.field} ${problem.problem}` };
  }
  draft.changeRequest(request, decided.request, 'answerable');
  draft.log({ kind: 'card-settled', card: decided.card });
  draft.audit.push({
    by: deed.by,
    action: ACTIONS[decision.kind],
    conversationId: draft.row.id,
    cardId,
    body: {
      ...{ version, shown: card.body, decision },
      ...(deed.passkey === undefined ? {} : { passkey: deed.passkey }),
    } as unknown as Json,
    ...(deed.signature === undefined ? {} : { signature: deed.signature }),
  });
  if (decision.kind === 'verdict')
    followVerdict(draft, { body: card.body, ...write, verdict: decision.verdict });
  if (decided.closes) draft.closed(request);
  return undefined;
}

const ACTIONS: { [K in Decision['kind']]: string } = {
  answer: 'card-answered',
  verdict: 'card-decided',
  skip: 'card-skipped',
};

/** What a verdict does besides: leave for longer (M3), or another mode before the agent is told of it (M4). */
function followVerdict(
  draft: ConversationDraft,
  {
    body,
    verdict,
    deed,
  }: { readonly body: CardBody; readonly verdict: Verdict; readonly deed: Deed },
): void {
  if (body.kind === 'approval' && verdict.kind === 'allow' && verdict.scope === 'conversation') {
    grantFor(draft, body.action, deed);
  }
  if (verdict.kind === 'approve-plan' && verdict.then !== draft.row.mode) {
    changeMode(draft, verdict.then, deed);
  }
}

/** Closes a request whose deadline has passed; one that was settled or extended meanwhile stays as it is. */
export function planExpiry(draft: ConversationDraft, requestId: RequestId): Refusal | undefined {
  const request = draft.request(requestId);
  if (request === undefined) return notFound('request');
  if (request.now.status !== 'open' || !deadlinePassed(request.now.deadlineAt, draft.clock)) {
    return { code: 'INVALID', reason: 'the request is not due' };
  }
  const of = { outcome: 'expired', by: HUB, now: draft.now } as const;
  draft.changeRequest(request, closeOpenCards(request.now, of), 'due');
  draft.closed(request);
  draft.audit.push({
    by: HUB,
    action: 'request-expired',
    conversationId: draft.row.id,
    body: { requestId, shown: shownCards(request.now.cards) },
  });
  return undefined;
}

/** C7: a person gives a deadline of ours more time; the cards keep their versions. */
export function planExtension(
  draft: ConversationDraft,
  write: Extract<Write, { kind: 'extend-deadline' }>,
): Refusal | undefined {
  const request = draft.request(write.requestId);
  const card = request?.now.cards[0];
  if (request === undefined || card === undefined) return notFound('request');
  const { now } = request;
  if (now.status === 'closed') return { code: 'ALREADY_SETTLED', card, request: now };
  if (deadlinePassed(now.deadlineAt, draft.clock)) {
    return { code: 'DEADLINE_PASSED', card, request: now };
  }
  if (!now.deadlineOurs) {
    return { code: 'INVALID', reason: 'this deadline is set by the agent and can not be extended' };
  }
  const deadlineAt = Math.max(now.deadlineAt, draft.now) + write.by;
  draft.changeRequest(request, { ...now, deadlineAt, version: now.version + 1 }, 'answerable');
  draft.log({ kind: 'deadline-extended', requestId: now.id, deadlineAt, by: write.deed.by });
  draft.audit.push({
    by: write.deed.by,
    action: 'deadline-extended',
    conversationId: draft.row.id,
    body: { requestId: now.id, from: now.deadlineAt, to: deadlineAt },
  });
  return undefined;
}

/**
 * Ends everything that a stopped or deleted conversation waits for: open requests are cancelled, accepted answers that
 * are not known to have arrived are superseded (C11). @returns whether there was anything
 */
export function cancelRequests(draft: ConversationDraft, by: Actor): boolean {
  const open = draft.requests.filter(({ now }) => now.status === 'open');
  const unconfirmed = draft.requests.filter(({ now }) => isUnconfirmed(now));
  for (const request of open) {
    const of = { outcome: 'cancelled', by, now: draft.now } as const;
    draft.changeRequest(request, closeOpenCards(request.now, of), 'open');
    draft.closed(request);
  }
  unconfirmed.forEach((request) => supersede(draft, request));
  return open.length + unconfirmed.length > 0;
}

function supersede(draft: ConversationDraft, request: RequestDraft): void {
  const { now } = request;
  const { possibleRepeat } = now;
  const delivery = 'superseded';
  draft.changeRequest(request, { ...now, delivery, version: now.version + 1 }, 'any');
  draft.log({ kind: 'delivery-changed', requestId: now.id, delivery, possibleRepeat });
  draft.superseded.push(now.id);
}

/** That something is not there, in the words of a refusal. */
export function notFound(what: string): Refusal {
  return { code: 'NOT_FOUND', reason: `there is no such ${what}` };
}

function shownCards(cards: readonly Card[]): Json {
  return cards.slice(0, LIMITS.questions).map(({ id, version, body }) => ({
    id,
    version,
    body: body as unknown as Json,
  }));
}
