import { z } from 'zod';
import { CardNote } from '#contracts';

const option = z.object({
  label: z.string(),
  description: z.string().optional(),
  preview: z.string().optional(),
});

/** The shape of a question without any of its bounds: what a driver may hand over before it is made to fit. */
export const LooseQuestion = z.object({
  kind: z.literal('question'),
  header: z.string().optional(),
  question: z.string(),
  options: z.array(option),
  allowsSeveral: z.boolean(),
  offersSelectSeveral: z.boolean().default(false),
  recommended: z.number().int().nonnegative().optional(),
  notes: z
    .array(z.object({ code: CardNote.shape.code, params: z.record(z.string(), z.string()) }))
    .default([]),
});
