import type { TurnState } from '#contracts';

export interface HandOutFacts {
  readonly turn: TurnState;
  readonly openCards: number;
  /** Requests whose answer was accepted and is not yet known to have reached the agent. */
  readonly unconfirmedAnswers: number;
  /** A person has just sent a message (rather than a turn having ended). */
  readonly personActs: boolean;
}

/** Whether a turn that is over lets the next message go to the agent. */
const AFTER: { [T in TurnState]: (facts: HandOutFacts) => boolean } = {
  none: () => true,
  due: () => false,
  running: () => false,
  done: () => true,
  interrupted: () => true,
  // What made one turn fail (no sign-in, no credit) would burn the whole queue; a person's next message goes on.
  failed: ({ personActs }) => personActs,
};

/** C17, C11: a queued message goes out when nothing runs, no card is open, and every accepted answer has arrived. */
export function mayHandOut(facts: HandOutFacts): boolean {
  return facts.openCards === 0 && facts.unconfirmedAnswers === 0 && AFTER[facts.turn](facts);
}
