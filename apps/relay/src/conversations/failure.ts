import type { Failure } from '#contracts';
import { DriverFailure } from '#provider-kit';
import { fittedFailure } from '../outgoing/fitted-event.js';

/**
 * What does not pass by itself: only a person mends it. An agent that began by itself half an hour after its failure
 * was read would surprise them, so its conversation waits for their next word.
 */
const WAITS_FOR_PERSON: ReadonlySet<string> = new Set([
  'folder-missing',
  'folder-unusable',
  'mode-unavailable',
  'provider-unknown',
  'setting-missing',
  'journal-lost',
]);

/** Whether a start that failed like this is tried again only when the person says so. */
export function waitsForPerson({ code }: Failure): boolean {
  return WAITS_FOR_PERSON.has(code);
}

/** What a driver threw, in words for a person. What is no {@link DriverFailure} is a fault of ours and says so. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof DriverFailure) return fittedFailure(thrown.failure);
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  return fittedFailure({
    code: 'driver-fault',
    message: `Something went wrong between Coxswain and the agent's client: ${said}`,
    advice: 'Send the message again. If it happens again, report it with the log of the relay.',
  });
}
