import type { Question } from '#contracts';

/** The same text for the same questions, whatever the order of keys or the notes on them (C12). */
export function canonicalQuestions(questions: readonly Question[]): string {
  return JSON.stringify(
    questions.map((question) => [
      question.header ?? null,
      question.question,
      question.allowsSeveral,
      question.options.map((option) => [
        option.label,
        option.description ?? null,
        option.preview ?? null,
      ]),
    ]),
  );
}
