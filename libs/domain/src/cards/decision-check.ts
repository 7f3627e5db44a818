import {
  verdictText,
  type CardBody,
  type Decision,
  type RelayMode,
  type Settlement,
  type Verdict,
} from '#contracts';
import { GATE } from '../modes/gate.js';
import { answerProblem, sameAnswer } from './answer-check.js';

interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** Which verdicts each kind of card takes. */
const TAKES: { [K in CardBody['kind']]: readonly Verdict['kind'][] } = {
  question: [],
  approval: ['allow', 'deny'],
  plan: ['approve-plan', 'send-back'],
};

/** Why a decision does not fit its card, as a field and a sentence; absent when it fits (C2, C16, M3, M4). */
export function decisionProblem(
  body: CardBody,
  decision: Decision,
  mode: RelayMode,
): Problem | undefined {
  if (decision.kind === 'skip') {
    return body.kind === 'question' ? undefined : { field: 'decision', problem: NOT_SKIPPED };
  }
  if (decision.kind === 'answer') {
    return body.kind === 'question'
      ? answerProblem(body, decision.answer)
      : { field: 'answer', problem: 'is for questions; this card takes a verdict' };
  }
  const { verdict } = decision;
  if (!TAKES[body.kind].includes(verdict.kind)) return unfitting(body.kind, verdict.kind);
  return body.kind === 'approval' && verdict.kind === 'allow'
    ? allowProblem(body.action, verdict.scope, mode)
    : undefined;
}

const NOT_SKIPPED =
  'can’t be to skip: an action is allowed or denied, a plan approved or sent back';

function unfitting(kind: CardBody['kind'], given: Verdict['kind']): Problem {
  const takes = TAKES[kind];
  const allowed = takes.length === 0 ? 'an answer' : takes.join(' or ');
  return { field: 'verdict.kind', problem: `is ${given}; this card takes ${allowed}` };
}

function allowProblem(
  action: Extract<CardBody, { kind: 'approval' }>['action'],
  scope: 'once' | 'conversation',
  mode: RelayMode,
): Problem | undefined {
  if (GATE[action.kind][mode] === 'refuse') {
    const problem = `can’t be allow in ${mode} mode, in which nothing is changed; change the mode first, or deny`;
    return { field: 'verdict.kind', problem };
  }
  if (scope === 'conversation' && action.grantable === undefined) {
    return {
      field: 'verdict.scope',
      problem: 'can’t be conversation: only one simple command can be allowed for longer than once',
    };
  }
  return undefined;
}

/** Whether a card was settled by just this decision, so that a device's retry is told success (C10, C12). */
export function settledBy(settlement: Settlement, decision: Decision): boolean {
  const { outcome, answer, verdict } = settlement;
  if (decision.kind === 'skip') return outcome === 'skipped';
  if (outcome !== 'answered') return false;
  return decision.kind === 'answer'
    ? sameAnswer(answer, decision.answer)
    : verdict !== undefined && verdictText(verdict) === verdictText(decision.verdict);
}
