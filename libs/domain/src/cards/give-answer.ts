import type { CardRequest, CardResult, GiveAnswer, RelayMode } from '#contracts';

/** The hub's message to the relay when a request has ended: every card with its question and what became of it. */
export function giveAnswer(request: CardRequest, mode: RelayMode): GiveAnswer {
  const outcome = request.outcome;
  if (outcome === undefined) throw new Error(`request ${request.id} is still open`);
  return {
    kind: 'give-answer',
    requestId: request.id,
    toolCallId: request.toolCallId,
    outcome,
    mode,
    cards: request.cards.map((card): CardResult => {
      const { answer, verdict } = card.settlement ?? {};
      return {
        question: card.body,
        outcome: card.status === 'open' ? outcome : card.status,
        ...(answer === undefined ? {} : { answer }),
        ...(verdict === undefined ? {} : { verdict }),
      };
    }),
  };
}
