import { z } from 'zod';
import { answerInWords, askedInWords, toldInPart, type GiveAnswer } from '#contracts';
import { shownQuestion, type ShownQuestion } from '#provider-kit';

/** The scripted agent's question tool. */
export const ASKING_TOOL = 'ask_person';
/** Its other tool: gives its `output` back. */
export const SAYING_TOOL = 'say';

const Option = z.object({
  label: z.string(),
  description: z.string().optional(),
  preview: z.string().optional(),
});
const Arguments = z.object({
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().optional(),
        several: z.boolean().default(false),
        options: z.array(Option).default([]),
      }),
    )
    .min(1),
});

/** The questions of a call, or what is wrong with it. */
export function readQuestions(input: unknown): { questions: ShownQuestion[] } | { wrong: string } {
  const read = Arguments.safeParse(input);
  if (!read.success) return { wrong: z.prettifyError(read.error) };
  return {
    questions: read.data.questions.map(({ several, ...question }) =>
      shownQuestion({ ...question, allowsSeveral: several }),
    ),
  };
}

/** What the scripted model reads as the call's result. */
export function resultText(result: GiveAnswer): string {
  if (result.cards.some((card) => card.outcome !== 'answered')) {
    return toldInPart(result.cards, result.mode);
  }
  return result.cards
    .map((card) => `${askedInWords(card.question)} ${answerInWords(card)}`)
    .join('\n');
}
