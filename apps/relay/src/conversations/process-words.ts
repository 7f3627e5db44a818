import type { Failure } from '#contracts';
import { DriverFailure } from '#provider-kit';

/** Why the relay itself ends a session; what a person is told when that cuts a turn short. */
export type CloseReason =
  'idle' | 'settings-changed' | 'relay-stopping' | 'not-interruptible' | 'journal-full' | 'let-go';

export const CUT_SHORT: { [R in CloseReason]: string } = {
  idle: 'The agent was put to sleep.',
  'settings-changed': 'The agent was put to sleep, so that it begins anew with the new settings.',
  'relay-stopping': 'The relay was stopped, so the turn was cut short. Send a message to go on.',
  'not-interruptible':
    'The agent did not stop when it was asked to, so its process was ended. Send a message to go on.',
  'journal-full':
    'The hub could not be reached for so long that nothing more can be kept for it. The agent was stopped; send a message to go on.',
  'let-go': 'The conversation now runs elsewhere.',
};

export const NEVER_BEGAN =
  'The agent got the message, but its process ended before it began to work on it. Send a message to go on.';

export const STOPPED = new DriverFailure({
  code: 'relay-stopping',
  message: 'The relay is being stopped.',
});
export const START_HANGS = new DriverFailure({
  code: 'start-hangs',
  message: "The agent's client did not come up in time, so its process was ended.",
  advice: 'Send the message again. If it happens again, look at the provider in the settings.',
});
export const ENDED_AT_ONCE = new DriverFailure({
  code: 'process-ended',
  message: "The agent's process ended while it was starting.",
  advice: 'Send the message again.',
});
export const JOURNAL_FULL = new DriverFailure({
  code: 'journal-full',
  message:
    'The hub has not taken what this agent said for so long that nothing more can be kept for it, so the agent is not started.',
  advice: 'It is started by itself as soon as the hub has taken it.',
});
export const JOURNAL_LOST = new DriverFailure({
  code: 'journal-lost',
  message: 'The relay has no record of this conversation any more, so its agent cannot be resumed.',
  advice: 'Start a new conversation in the same folder.',
});
/** A process that ended without a word. */
export const DIED: Failure = {
  code: 'process-ended',
  message: "The agent's process ended unexpectedly.",
  advice: 'Send a message to resume it.',
};
/** Told in a conversation of which the relay's own record was damaged. */
export const JOURNAL_DAMAGED = {
  code: 'journal-damaged',
  text: 'A part of what this machine keeps of this conversation was damaged or lost. Something that the agent said may be missing here, and a message or an answer that was on its way to the agent may not have reached it.',
};
