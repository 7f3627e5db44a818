import { toldInPart, type CardResult, type GiveAnswer } from '#contracts';
import type { Asked, AskedQuestionState } from './asked.js';
import type { PermissionResult } from './sdk.js';

/**
 * The end of a request in the form that the client expects.
 *
 * All answered: `allow` with `answers` by the question's text, labels joined by comma and space (an array
 * would be joined by a bare comma), typed text beside ticks as `annotations[…].notes`. Anything else is told
 * in words as `deny`, which the model reads verbatim and after which the turn goes on: an omitted answer
 * would be dropped silently, and no answers at all would read as if the person had declined.
 */
export function toPermissionResult(asked: Asked, result: GiveAnswer): PermissionResult {
  const answered = result.cards.every((card) => card.outcome === 'answered');
  if (!answered || result.cards.length !== asked.questions.length) {
    return { behavior: 'deny', message: toldInPart(result.cards, result.mode) };
  }
  if (unreadable(asked) || tooLongToRepeat(asked)) {
    return {
      behavior: 'allow',
      updatedInput: { ...asked.input, response: answersAlone(asked, result.cards) },
    };
  }
  return { behavior: 'allow', updatedInput: { ...asked.input, ...answersOf(asked, result.cards) } };
}

/** A call that was shown as text has no question that an answer could be filed under. */
const unreadable = (asked: Asked): boolean =>
  asked.questions.length === 1 && asked.questions[0]?.key === '';

/**
 * The client repeats each question beside its answer, and puts what gets too long into a file of which the
 * model reads only the beginning: the answer would not be in it (measured with a question of a megabyte).
 */
const MOST_REPEATED = 10_000;
const tooLongToRepeat = (asked: Asked): boolean =>
  asked.questions.reduce((length, question) => length + question.key.length, 0) > MOST_REPEATED;

/** The answers without their questions, numbered where there are several. */
function answersAlone(asked: Asked, cards: readonly CardResult[]): string {
  const answers = asked.questions.map((question, at) => {
    const { answer, notes } = answerTo(question, cards[at]);
    return notes === undefined ? answer : `${answer}; ${notes}`;
  });
  const [only] = answers;
  if (answers.length === 1 && only !== undefined) return only;
  return answers.map((answer, at) => `Question ${at + 1}: ${answer}`).join('\n');
}

const typed = (card: CardResult | undefined): string => card?.answer?.text ?? '';

interface Answers {
  answers: Record<string, string>;
  annotations?: Record<string, { notes: string }>;
}

function answersOf(asked: Asked, cards: readonly CardResult[]): Answers {
  const pairs = asked.questions.map((question, at) => answerTo(question, cards[at]));
  const notes = pairs.filter((pair) => pair.notes !== undefined);
  return {
    answers: Object.fromEntries(pairs.map((pair) => [pair.key, pair.answer])),
    ...(notes.length > 0 && {
      annotations: Object.fromEntries(notes.map((pair) => [pair.key, { notes: pair.notes ?? '' }])),
    }),
  };
}

function answerTo(
  question: AskedQuestionState,
  card: CardResult | undefined,
): { key: string; answer: string; notes?: string } {
  const ticks = new Set(card?.answer?.choices ?? []);
  const labels = question.labels.filter((_, at) => ticks.has(at)).join(', ');
  const text = typed(card);
  if (labels === '') return { key: question.key, answer: text };
  return text.trim() === ''
    ? { key: question.key, answer: labels }
    : { key: question.key, answer: labels, notes: text };
}
