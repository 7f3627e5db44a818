import type { Answer, CardOutcome, Question } from './cards.js';
import type { RelayMode } from './modes.js';

/** How the agent goes on after a question that nobody answered (M5). */
const AFTER_NOBODY: { [M in RelayMode]: string } = {
  autopilot: 'Decide by your best judgement, say which assumption you made, and go on.',
  ask: 'Do nothing that depends on the answer. End your turn and say what is still open.',
  plan: 'Go on planning and list this question as open.',
};

/** How the agent goes on after a person pressed Skip (C16). */
const AFTER_SKIP: { [M in RelayMode]: string } = {
  autopilot: 'Do not ask it again. Go on without it, and say which assumption you made.',
  ask: 'Do not ask it again. Go on with what does not depend on it, and say what is left open.',
  plan: 'Do not ask it again. Go on planning and list it as open.',
};

/** What the agent is told of one question, by outcome and mode, where no answer was given. */
export const TOLD: { [O in Exclude<CardOutcome, 'answered'>]: { [M in RelayMode]: string } } = {
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

function withModes(what: string, then: { [M in RelayMode]: string }): { [M in RelayMode]: string } {
  return {
    autopilot: `${what} ${then.autopilot}`,
    ask: `${what} ${then.ask}`,
    plan: `${what} ${then.plan}`,
  };
}

/** One question with what became of it; the shape of the link's card results. */
export interface ToldCard {
  question: Pick<Question, 'question' | 'options'>;
  outcome: CardOutcome;
  answer?: Answer | undefined;
}

/** The ticked labels in the order shown (C2). */
export function tickedLabels(card: ToldCard): string[] {
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
    (card) => `${quoted(card.question.question)} was answered: ${quoted(answerInWords(card))}.`,
  );
  for (const card of cards) {
    if (card.outcome === 'answered') continue;
    const named = cards.length === 1 ? '' : `${quoted(card.question.question)}: `;
    lines.push(named + TOLD[card.outcome][mode]);
  }
  return lines.join('\n');
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
  const cards = of.cards.map((card) => {
    const result =
      card.outcome === 'answered'
        ? `The person answered: ${answerInWords(card)}`
        : TOLD[card.outcome][of.mode];
    return `You asked: ${card.question.question}\n${result}`;
  });
  return [head, ...cards, 'Go on from there; do not ask it again.'].join('\n\n');
}

/** A person's message of which nobody can tell, after a crash, whether the agent got it before. */
export function toldAgain(text: string): string {
  return `(You may have got this message before; if so, ignore the repetition.)\n\n${text}`;
}
