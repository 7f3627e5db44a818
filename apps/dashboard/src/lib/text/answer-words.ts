import { answerInWords, type Answer, type Question } from '#contracts';
import { showUnseen } from './visible.js';

/** An answer in one line, for people: ticked labels, then what was typed. */
export function answerWords(question: Question, answer: Answer | undefined): string {
  return showUnseen(answerInWords({ question, outcome: 'answered', answer }));
}

/** A text's first line, shortened: markdown marks are left out. */
export function brief(text: string, length = 120): string {
  const line = text
    .split('\n')
    .map((candidate) =>
      candidate
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/^[#>*\-\s]+|[*`]+/g, '')
        .trim(),
    )
    .find((candidate) => candidate !== '');
  const shown = showUnseen(line ?? '');
  return shown.length > length ? `${shown.slice(0, length - 1).trimEnd()}…` : shown;
}
