import { z } from 'zod';

/** D10: what a provider reported for one turn; what it did not report is absent, never guessed. */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative().optional(),
  outputTokens: z.number().int().nonnegative().optional(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  /** US dollars of this turn alone. */
  costUsd: z.number().nonnegative().optional(),
  model: z.string().max(200).optional(),
});
export type Usage = z.infer<typeof Usage>;
