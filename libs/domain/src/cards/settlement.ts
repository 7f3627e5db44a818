import type { Card, CardOutcome, CardRequest, CardStatus, Decision, Settlement } from '#contracts';
import { canonicalAnswer } from './answer-check.js';
import { deadlinePassed, type ClockReading } from './deadline.js';

export interface SettleCommand {
  readonly cardId: string;
  readonly version: number;
  readonly decision: Decision;
  readonly by: Settlement['by'];
}

export type SettleDecision =
  | {
      readonly ok: true;
      readonly request: CardRequest;
      readonly card: Card;
      readonly closes: boolean;
    }
  | {
      readonly ok: false;
      readonly code: 'NOT_FOUND' | 'ALREADY_SETTLED' | 'STALE_VERSION' | 'DEADLINE_PASSED';
    };

/**
 * What one settlement does to a request. The database's statement decides in the end; it is tested against
 * this function (C6, C7, C10, C15).
 *
 * A closed request is final. While it is open a card that was settled can be settled anew, by whoever holds
 * its current version; the request closes with its last open card.
 */
export function settle(
  request: CardRequest,
  command: SettleCommand,
  clock: ClockReading,
): SettleDecision {
  const card = request.cards.find((candidate) => candidate.id === command.cardId);
  if (card === undefined) return { ok: false, code: 'NOT_FOUND' };
  if (request.status === 'closed') return { ok: false, code: 'ALREADY_SETTLED' };
  if (card.version !== command.version) {
    return { ok: false, code: card.status === 'open' ? 'STALE_VERSION' : 'ALREADY_SETTLED' };
  }
  if (deadlinePassed(request.deadlineAt, clock)) return { ok: false, code: 'DEADLINE_PASSED' };

  const settled = settledCard(card, command, clock.now);
  const cards = request.cards.map((candidate) => (candidate.id === card.id ? settled : candidate));
  const closes = cards.every((candidate) => candidate.status !== 'open');
  const next: CardRequest = { ...request, cards, version: request.version + 1 };
  return {
    ok: true,
    card: settled,
    closes,
    request: closes
      ? { ...next, status: 'closed', outcome: requestOutcome(cards), delivery: 'pending' }
      : next,
  };
}

function settledCard(card: Card, command: SettleCommand, now: number): Card {
  const { decision } = command;
  const outcome: CardOutcome = decision.kind === 'skip' ? 'skipped' : 'answered';
  const settlement: Settlement = { outcome, by: command.by, at: now };
  if (decision.kind === 'answer') settlement.answer = canonicalAnswer(decision.answer);
  if (decision.kind === 'verdict') settlement.verdict = decision.verdict;
  return { ...card, status: outcome, version: card.version + 1, settlement };
}

/** Which outcome stands for the whole: the weightiest of its cards'. */
const WEIGHT: readonly CardOutcome[] = ['lost', 'cancelled', 'expired', 'answered', 'skipped'];

/** The outcome of a request none of whose cards is open: `answered` also where some were skipped. */
export function requestOutcome(cards: readonly { readonly status: CardStatus }[]): CardOutcome {
  return WEIGHT.find((outcome) => cards.some((card) => card.status === outcome)) ?? 'skipped';
}

/** A request's open cards end with `outcome`; given answers stay (C8). */
export function closeOpenCards(
  request: CardRequest,
  of: { outcome: Exclude<CardOutcome, 'answered' | 'skipped'>; by: Settlement['by']; now: number },
): CardRequest {
  if (request.status === 'closed') return request;
  const cards = request.cards.map((card): Card =>
    card.status === 'open'
      ? {
          ...card,
          status: of.outcome,
          version: card.version + 1,
          settlement: { outcome: of.outcome, by: of.by, at: of.now },
        }
      : card,
  );
  const told = of.outcome === 'expired';
  return {
    ...request,
    cards,
    status: 'closed',
    outcome: of.outcome,
    version: request.version + 1,
    delivery: told ? 'pending' : 'none',
  };
}
