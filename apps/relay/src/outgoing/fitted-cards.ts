import { Approval, PlanProposal, type CardBody } from '#contracts';
import { jsonBytes, MESSAGE_BYTES } from './frame-budget.js';
import { fittedQuestions } from './fitted-questions.js';

/**
 * What an agent asks, as the hub takes it. Questions are cut to fit. An action or a plan never is: what a person allows
 * must be what was shown; one that does not fit is shown as text on a card that allows nothing.
 */
export function fittedCards(asked: readonly unknown[]): CardBody[] {
  const [only] = asked;
  const whole = asked.length === 1 ? wholeCard(only) : undefined;
  return whole === undefined ? fittedQuestions(asked) : [whole];
}

function wholeCard(asked: unknown): CardBody | undefined {
  const plan = PlanProposal.safeParse(asked);
  if (plan.success) return fits(plan.data) ? plan.data : undefined;
  const approval = Approval.safeParse(asked);
  if (!approval.success) return undefined;
  return [approval.data, withoutDiff(approval.data)].find(fits);
}

const fits = (body: CardBody): boolean => jsonBytes([body]) <= MESSAGE_BYTES;

/** The arguments say all that the diff says. */
function withoutDiff(approval: Approval): Approval {
  const { diff, ...action } = approval.action;
  if (diff === undefined) return approval;
  const params = { field: 'diff', kept: '0', dropped: String(diff.length) };
  return { ...approval, action, notes: [...approval.notes, { code: 'text-cut', params }] };
}
