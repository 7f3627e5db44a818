import type { Actor, CardRequest, ToldBack } from '#contracts';
import { closeOpenCards, type IntakeEffect } from '#domain';
import type { ConversationDraft, RequestDraft } from './conversation-draft.js';

/** Who did what an earlier state of the database knew: the relay knows what was done, not by whom. */
const BEFORE: Actor = { principal: { kind: 'hub' }, name: 'hub, before its backup was put back' };

/** Link rule 10: takes back what the database lost of the hub's own words. Said twice it does nothing more. */
export function planToldBack(
  draft: ConversationDraft,
  { said, now: present }: NonNullable<IntakeEffect['toldBack']>,
): void {
  for (const one of said) {
    if (one.kind === 'message') takeBackMessage(draft, one);
    else takeBackAnswer(draft, one);
  }
  if (present === undefined) return;
  draft.head.remembersN = null;
  const { turn } = draft.row;
  if (!present.atWork && (turn === 'running' || turn === 'due')) draft.change({ turn: 'done' });
  for (const request of draft.requests) {
    const { now } = request;
    if (now.status !== 'open' || present.waiting.includes(now.toolCallId)) continue;
    const of = { outcome: 'lost', by: BEFORE, now: draft.now } as const;
    draft.changeRequest(request, closeOpenCards(now, of), 'open');
    draft.closed(request);
  }
}

/** A message that the agent has had: one that waits in the queue here must not reach it once more. */
function takeBackMessage(
  draft: ConversationDraft,
  { messageId, text }: Extract<ToldBack, { kind: 'message' }>,
): void {
  const known = draft.messages.find(({ row }) => row.id === messageId);
  if (known === undefined) {
    if (draft.holderOf(messageId) !== undefined) return;
    draft.head.lastQueueN += 1;
    const { id: conversationId } = draft.row;
    const n = draft.head.lastQueueN;
    const row = { id: messageId, conversationId, n, text: null, at: draft.now };
    draft.messages.push({ row: { ...row, status: 'picked-up' }, isNew: true, changed: true });
    draft.log({ kind: 'message-accepted', messageId, text, by: BEFORE, queued: false });
    draft.log({ kind: 'message-picked-up', messageId });
    return;
  }
  if (known.row.status !== 'queued') return;
  Object.assign(known.row, { status: 'picked-up', text: null });
  known.changed = true;
  draft.countQueue();
  draft.log({ kind: 'message-picked-up', messageId });
}

function takeBackAnswer(
  draft: ConversationDraft,
  given: Extract<ToldBack, { kind: 'answer' }>,
): void {
  const request = draft.requestOfAnswer(given);
  if (request === undefined) return;
  if (request.now.status === 'open') {
    draft.changeRequest(request, answeredBefore(request.now, { given, at: draft.now }), 'open');
    const { id, cards } = request.now;
    draft.log({ kind: 'request-closed', requestId: id, outcome: given.outcome, cards });
    return;
  }
  if (isSame(request, given)) return;
  draft.log({
    kind: 'notice',
    severity: 'warning',
    code: 'answered-before-restore',
    text: 'The agent had been given another answer to this before the hub’s database was put back; that one stands for it.',
    params: {},
  });
}

const isSame = ({ now }: RequestDraft, { cards }: Extract<ToldBack, { kind: 'answer' }>): boolean =>
  JSON.stringify(now.cards.map(({ settlement }) => settlement?.answer ?? null)) ===
  JSON.stringify(cards.map(({ answer }) => answer ?? null));

function answeredBefore(
  request: CardRequest,
  of: { readonly given: Extract<ToldBack, { kind: 'answer' }>; readonly at: number },
): CardRequest {
  const { outcome, delivery, possibleRepeat, cards } = of.given;
  return {
    ...request,
    status: 'closed',
    outcome,
    delivery,
    possibleRepeat,
    version: request.version + 1,
    cards: request.cards.map((card, at) => {
      const result = cards[at] ?? { outcome };
      const settlement = { ...result, by: BEFORE, at: of.at };
      return { ...card, status: result.outcome, version: card.version + 1, settlement };
    }),
  };
}
