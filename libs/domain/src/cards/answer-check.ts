import type { Answer, Question } from '#contracts';

/** Why an answer does not fit its question, as a field and a sentence; absent when it fits (C2, C3's like for questions). */
export function answerProblem(
  question: Question,
  answer: Answer,
): { field: string; problem: string } | undefined {
  const count = question.options.length;
  const outside = answer.choices.find((choice) => choice >= count);
  if (outside !== undefined) {
    return {
      field: 'answer.choices',
      problem: `names choice ${outside}; the question has ${count}, counted from 0`,
    };
  }
  if (new Set(answer.choices).size !== answer.choices.length) {
    return { field: 'answer.choices', problem: 'names a choice twice; each may stand once' };
  }
  if (answer.choices.length > 1 && !question.allowsSeveral && !question.offersSelectSeveral) {
    return {
      field: 'answer.choices',
      problem: `names ${answer.choices.length} choices; this question takes one`,
    };
  }
  return undefined;
}

/** The same answer in its one form: choices in the order shown, text trimmed and absent when empty (C2). */
export function canonicalAnswer(answer: Answer): Answer {
  const choices = [...answer.choices].sort((a, b) => a - b);
  const text = answer.text?.trim() ?? '';
  return text === '' ? { choices } : { choices, text };
}

/** Whether two answers are the same decision, so that a device's retry is told success (C10, C12). */
export function sameAnswer(a: Answer | undefined, b: Answer | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return JSON.stringify(canonicalAnswer(a)) === JSON.stringify(canonicalAnswer(b));
}
