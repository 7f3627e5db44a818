import type { z } from 'zod';
import type { FieldError } from '#contracts';

/** What of an issue can be told: zod's, or any standard schema's. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** More than these say nothing new, and 10,000 wrong options would make an answer of megabytes. */
const SHOWN = 20;
const PROBLEM_LENGTH = 400;

/** Which fields were wrong, what was wrong with each, and what is allowed. */
export function fieldErrors(issues: readonly Issue[]): FieldError[] {
  const shown = issues.slice(0, SHOWN).map((issue) => ({
    field: (issue.path ?? [])
      .map((step) => String(typeof step === 'object' ? step.key : step))
      .join('.'),
    problem: issue.message.slice(0, PROBLEM_LENGTH),
  }));
  const left = issues.length - shown.length;
  return left > 0 ? [...shown, { field: '', problem: `and ${left} further problems` }] : shown;
}

/** The same in one line, for the link's refusals. */
export function problemsInWords(error: z.ZodError): string {
  return fieldErrors(error.issues)
    .map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`))
    .join('; ')
    .slice(0, 2_000);
}
