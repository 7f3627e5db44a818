import type { Settlement } from '#contracts';
import { sameAnswer, settledBy } from '#domain';
import { groupedBy } from '../records/grouped-by.js';
import type { Attempt, RunRecords, StoredCard } from '../records/records.js';
import type { Violation } from './violation.js';

const CHECK = 'exactly one winner';

/** Every settlement of a card that ever was, from the log: by the version that it made. */
type Settlements = ReadonlyMap<number, Settlement>;

/** Each version of a card has exactly one winner, everybody else was told who it was, and the row says the same (C10). */
export function wrongWinners({ conversations, attempts }: RunRecords): Violation[] {
  const byCard = groupedBy(attempts, ({ cardId }) => cardId);
  return conversations.flatMap(({ id, database }) =>
    database.requests.flatMap(({ toolCallId, cards }) =>
      cards.flatMap((card) => {
        const settlements: Settlements = new Map(
          database.events.flatMap(({ body }) =>
            body.kind === 'card-settled' && body.card.id === card.id && body.card.settlement
              ? [[body.card.version, body.card.settlement]]
              : [],
          ),
        );
        const made = byCard.get(card.id) ?? [];
        const wrong = [
          ...made.flatMap((attempt) => wrongAttempt(attempt, settlements, card)),
          ...[...settlements].flatMap(([version, by]) => unasked(made, version, by)),
          ...wrongRow(card, settlements),
        ];
        return wrong.map((what) => ({
          check: CHECK,
          conversation: id,
          what: `${toolCallId}: ${what}`,
        }));
      }),
    ),
  );
}

function wrongAttempt(attempt: Attempt, settlements: Settlements, card: StoredCard): string[] {
  const { result, version } = attempt;
  if (result.kind === 'accepted') {
    const won = settlements.get(version + 1);
    return won !== undefined && isOf(won, attempt)
      ? []
      : [`${who(attempt)} was told that it won version ${version}, and ${nameOf(won)} did`];
  }
  if (result.kind === 'unknown' || result.code !== 'ALREADY_SETTLED') return [];
  const { told } = result;
  const isTrue =
    told === undefined
      ? card.status !== 'open'
      : [...settlements.values()].some((one) => same(one, told)) || isFinal(card, told);
  return isTrue ? [] : [`${who(attempt)} was told of a winner that never was: ${nameOf(told)}`];
}

/** A settlement that no device of ours has sent. */
function unasked(made: readonly Attempt[], version: number, by: Settlement): string[] {
  const asked = made.some((attempt) => attempt.version + 1 === version && isOf(by, attempt));
  return asked ? [] : [`version ${version} was settled by ${nameOf(by)}, who never asked for that`];
}

function wrongRow(card: StoredCard, settlements: Settlements): string[] {
  if (card.status !== 'answered' && card.status !== 'skipped') return [];
  const last = settlements.get(card.version);
  const isRight =
    last !== undefined &&
    last.outcome === card.status &&
    sameAnswer(last.answer, card.answer ?? undefined);
  return isRight ? [] : [`the row of version ${card.version} is not what was settled last`];
}

function isOf(settlement: Settlement, { deviceId, decision }: Attempt): boolean {
  const { principal } = settlement.by;
  if (principal.kind !== 'device' || principal.deviceId !== deviceId) return false;
  return settledBy(settlement, decision);
}

const same = (one: Settlement, other: Settlement): boolean =>
  one.at === other.at && one.outcome === other.outcome && sameAnswer(one.answer, other.answer);

const isFinal = (card: StoredCard, told: Settlement): boolean =>
  card.status === told.outcome && card.settledAt === told.at;

const who = ({ deviceId }: Attempt): string => `device ${deviceId}`;

const nameOf = (settlement: Settlement | undefined): string =>
  settlement === undefined
    ? 'nobody'
    : `${settlement.by.name} (${settlement.outcome} ${settlement.answer?.text ?? ''})`;
