import { answerInWords, type Answer, type CardBody } from '#contracts';
import { firstLineOf } from '#domain';
import { withReadLabels } from './option-label.js';
import { showUnseen } from './visible.js';

/** An answer in one line, for people: ticked labels, then what was typed. */
export function answerWords(body: CardBody, answer: Answer | undefined): string {
  if (body.kind !== 'question') return '';
  return showUnseen(answerInWords({ question: withReadLabels(body), outcome: 'answered', answer }));
}

/** A text's first line, shortened: markdown marks are left out. */
export function brief(text: string, length = 120): string {
  return cutLine(showUnseen(firstLineOf(text)), length);
}

/** A line cut to a length. */
export function cutLine(shown: string, length: number): string {
  return shown.length > length ? `${shown.slice(0, length - 1).trimEnd()}…` : shown;
}
