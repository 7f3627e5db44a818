import type { CardRequest, CardResult, GiveAnswer, RelayMode } from '#contracts';

/** The hub's message to the relay when a request has ended: every card with its question and what became of it. */
export function giveAnswer(request: CardRequest, mode: RelayMode): GiveAnswer {
  if (request.outcome === undefined) throw new Error(`request ${request.id} is still open`);
  return {
    kind: 'give-answer',
    requestId: request.id,
    toolCallId: request.toolCallId,
    outcome: request.outcome,
    mode,
    cards: request.cards.map((card): CardResult => {
      const outcome = card.status === 'open' ? request.outcome! : card.status;
      const result: CardResult = { question: card.body, outcome };
      const answer = card.settlement?.answer;
      return answer === undefined ? result : { ...result, answer };
    }),
  };
}
