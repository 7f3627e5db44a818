import type { Failure } from '#contracts';
import { DriverFailure } from '#provider-kit';
import { fittedFailure } from '../outgoing/fitted-event.js';

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
