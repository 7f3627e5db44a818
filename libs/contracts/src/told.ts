import type { Verdict } from './actions.js';
import type { Answer, Approval, CardOutcome, PlanProposal, Question } from './cards.js';
import type { RelayMode } from './modes.js';

type ByMode = { [M in RelayMode]: string };
type Unanswered = Exclude<CardOutcome, 'answered'>;

/** How the agent goes on after a question that nobody answered (M5). */
const AFTER_NOBODY: ByMode = {
  autopilot: 'Decide by your best judgement, say which assumption you made, and go on.',
  ask: 'Do nothing that depends on the answer. End your turn and say what is still open.',
  plan: 'Go on planning and list this question as open.',
};

/** How the agent goes on after a person pressed Skip (C16). */
const AFTER_SKIP: ByMode = {
  autopilot: 'Do not ask it again. Go on without it, and say which assumption you made.',
  ask: 'Do not ask it again. Go on with what does not depend on it, and say what is left open.',
  plan: 'Do not ask it again. Go on planning and list it as open.',
};

/** How the agent goes on without leave that nobody gave: a refusal in every mode, since nobody was there to allow it. */
const AFTER_NO_LEAVE: ByMode = {
  autopilot: 'Do not try the same by another way. Say what was not done, and go on without it.',
  ask: 'Do not try the same by another way. Do nothing that depends on it, end your turn and say what is still open.',
  plan: 'Do not try the same by another way. Go on planning and list it as open.',
};

/** What the agent is told of one question, by outcome and mode, where no answer was given. */
export const TOLD: { [O in Unanswered]: ByMode } = {
  skipped: withModes(
    'The person read this question and skipped it: they neither answered nor declined anything.',
    AFTER_SKIP,
  ),
  expired: withModes(
    'Nobody answered: no one was there while the question waited. Nobody declined, skipped or agreed to anything.',
    AFTER_NOBODY,
  ),
  cancelled: withModes(
    'The question was withdrawn because the turn was stopped. Nobody answered it.',
    AFTER_NOBODY,
  ),
  lost: withModes(
    'The question was lost when the agent stopped before it was answered. Nobody answered it.',
    AFTER_NOBODY,
  ),
};

/** The same for an action or a plan that waited for leave. Whatever ended it, it was not allowed. */
export const TOLD_WITHOUT_LEAVE: { [O in Unanswered]: ByMode } = {
  skipped: withModes('The person gave no leave for this, so it was not done.', AFTER_NO_LEAVE),
  expired: withModes(
    'Not allowed: nobody was there while this waited for leave. Nobody refused it and nobody agreed to it.',
    AFTER_NO_LEAVE,
  ),
  cancelled: withModes(
    'Not allowed: this was withdrawn because the turn was stopped. Nobody agreed to it.',
    AFTER_NO_LEAVE,
  ),
  lost: withModes(
    'Not allowed: the agent stopped before anyone decided about this. Nobody agreed to it.',
    AFTER_NO_LEAVE,
  ),
};

function withModes(what: string, then: ByMode): ByMode {
  return {
    autopilot: `${what} ${then.autopilot}`,
    ask: `${what} ${then.ask}`,
    plan: `${what} ${then.plan}`,
  };
}

type ToldQuestion = Pick<Question, 'question' | 'options'> & { readonly kind?: 'question' };
type ToldBody = ToldQuestion | Approval | PlanProposal;

/** One card with what became of it; the shape of the link's card results. */
export interface ToldCard {
  question: ToldBody;
  outcome: CardOutcome;
  answer?: Answer | undefined;
  verdict?: Verdict | undefined;
}

const isQuestion = (body: ToldBody): body is ToldQuestion =>
  body.kind === undefined || body.kind === 'question';

/** The ticked labels in the order shown (C2). */
export function tickedLabels(card: ToldCard): string[] {
  if (!isQuestion(card.question)) return [];
  const ticked = new Set(card.answer?.choices ?? []);
  return card.question.options
    .filter((_, index) => ticked.has(index))
    .map((option) => option.label);
}

/** An answer in one line: labels joined by comma and space, then what was typed. */
export function answerInWords(card: ToldCard): string {
  const text = card.answer?.text?.trim() ?? '';
  return [tickedLabels(card).join(', '), text].filter((piece) => piece !== '').join('; ');
}

const quoted = (text: string): string => JSON.stringify(text);

/** Words for a request in which some question stayed without an answer (C8): all answers, all open ones. */
export function toldInPart(cards: readonly ToldCard[], mode: RelayMode): string {
  const answered = cards.filter((card) => card.outcome === 'answered');
  const lines = answered.map(
    (card) =>
      `${quoted(askedInWords(card.question))} was answered: ${quoted(answerInWords(card))}.`,
  );
  for (const card of cards) {
    if (card.outcome === 'answered') continue;
    const named = cards.length === 1 ? '' : `${quoted(askedInWords(card.question))}: `;
    lines.push(named + withoutAnswer(card.question, card.outcome, mode));
  }
  return lines.join('\n');
}

/** What an agent is told where its action or its plan was not let through as it asked for it. */
export function toldOfVerdict(card: ToldCard, mode: RelayMode): string {
  const { question, outcome, verdict } = card;
  if (outcome !== 'answered') return withoutAnswer(question, outcome, mode);
  switch (verdict?.kind) {
    case 'allow':
      return 'The person allowed exactly this.';
    case 'deny':
      return verdict.word === undefined
        ? 'The person refused this. Do not try the same by another way.'
        : `The person refused this, and says: ${verdict.word}`;
    case 'approve-plan':
      return approvedInWords(verdict);
    case 'send-back':
      return `The person read your plan and sends it back. Change it and propose it again. They say: ${verdict.comments}`;
    case undefined:
      return withoutAnswer(question, 'lost', mode);
  }
}

const ON: ByMode = {
  autopilot: 'Go on and carry it out.',
  ask: 'Go on and carry it out; what changes something is asked about first.',
  plan: 'Stay in planning: carry nothing out yet, and end your turn.',
};

function approvedInWords(verdict: Extract<Verdict, { kind: 'approve-plan' }>): string {
  const changed =
    verdict.edited === undefined
      ? 'The person approved your plan.'
      : `The person changed your plan and approved it as follows:\n\n${verdict.edited}\n`;
  return `${changed} ${ON[verdict.then]}`;
}

function withoutAnswer(body: ToldBody, outcome: Unanswered, mode: RelayMode): string {
  return (isQuestion(body) ? TOLD : TOLD_WITHOUT_LEAVE)[outcome][mode];
}

/** What a card asks, in one line for the agent that asked it. */
export function askedInWords(body: ToldBody): string {
  if (isQuestion(body)) return body.question;
  if (body.kind === 'plan') return 'whether your plan is approved';
  const { tool, command, path, address } = body.action;
  const what = command ?? path ?? address ?? body.action.arguments;
  return `for leave to use ${tool}: ${what}`;
}

function becameOf(card: ToldCard, mode: RelayMode): string {
  if (!isQuestion(card.question)) {
    const said = toldOfVerdict(card, mode);
    // The call that asked is gone: what was allowed has to be called again, and is then let through or asked anew.
    return card.verdict?.kind === 'allow' ? `${said} It has not run yet.` : said;
  }
  return card.outcome === 'answered'
    ? `The person answered: ${answerInWords(card)}`
    : TOLD[card.outcome][mode];
}

/**
 * The message that carries a result to an agent whose process was gone when it came (C11): it restates the
 * question, since the client does not ask it again after a resume.
 */
export function toldAfterResume(of: {
  cards: readonly ToldCard[];
  mode: RelayMode;
  possibleRepeat: boolean;
}): string {
  const head = of.possibleRepeat
    ? 'You were interrupted while a question of yours waited. You may have been told this before; if so, ignore the repetition.'
    : 'You were interrupted while a question of yours waited. Here is what became of it.';
  const cards = of.cards.map(
    (card) => `You asked: ${askedInWords(card.question)}\n${becameOf(card, of.mode)}`,
  );
  const questions = of.cards.some((card) => isQuestion(card.question));
  const tail = questions ? 'Go on from there; do not ask it again.' : 'Go on from there.';
  return [head, ...cards, tail].join('\n\n');
}

/** A person's message of which nobody can tell, after a crash, whether the agent got it before. */
export function toldAgain(text: string): string {
  return `(You may have got this message before; if so, ignore the repetition.)\n\n${text}`;
}
