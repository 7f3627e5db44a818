import { type Question, type QuestionOption } from '#contracts';
import { showUnseen } from './visible.js';

/** Said in the label by the agents' custom (P14), and shown by a mark beside it. */
const SAID = /\s*\(\s*recommended\s*\)\s*$/i;

/** A choice's label as people read it. */
export function optionLabel(option: QuestionOption, recommended: boolean): string {
  const shown = showUnseen(option.label).trim();
  return recommended ? shown.replace(SAID, '') : shown;
}

/** A question whose labels are as people read them. */
export function withReadLabels(question: Question): Question {
  const options = question.options.map((option, at) =>
    at === question.recommended ? { ...option, label: option.label.replace(SAID, '') } : option,
  );
  return { ...question, options };
}
