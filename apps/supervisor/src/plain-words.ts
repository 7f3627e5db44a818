import type { ProcessEnd } from './supervised-child.js';

/** How a process ended, for a person: `signal SIGKILL`, `exit code 1`. */
export function howItEnded({ code, signal }: ProcessEnd): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

/** A length of time, roughly: `5 minutes`, `40 seconds`. */
export function roughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 100) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

/** What somebody did wrong or can mend is told by its message alone; the rest with all that is known. */
export function inWords(error: unknown): string {
  // `localhost` has two addresses, and a refusal by both comes as one error without words of its own.
  if (error instanceof AggregateError) return error.errors.map(inWords).join('; ');
  return error instanceof Error ? error.message : String(error);
}
