import type { Question } from '#contracts';
import type { Dice } from './dice.js';

/** How the people end a call: what they do, not what comes of it, since a fault or a deadline may be quicker. */
export type CallEnding =
  | 'answer'
  /** All devices answer at once, each differently. */
  | 'race'
  | 'skip'
  /** Nobody does anything: only a deadline ends it. */
  | 'nobody'
  /** Answered at just about the deadline. */
  | 'late'
  /** Extended by one device, then answered by another. */
  | 'extend';

/** One tool call of an agent's. */
export interface CallPlan {
  readonly call: string;
  readonly questions: readonly Question[];
  /** A deadline of the agent's own, in milliseconds. */
  readonly waits?: number;
  /** The client gives the question up by itself after so many milliseconds. */
  readonly givesUpAfter?: number;
  readonly ending: CallEnding;
  /** How long the people look at its cards. */
  readonly thinkMs: number;
  /** In a request of several: how often an answer is changed before the last one closes it (C6). */
  readonly changes: number;
}

/** One life of a card: a message that makes the agent ask, and all that is done about it. */
export interface LifePlan {
  readonly id: string;
  readonly says: number;
  /** Milliseconds between what the client says. */
  readonly pace: number;
  /** Milliseconds from when its client hears something until it writes it down, and from then until it says so. */
  readonly lag: { readonly before: number; readonly after: number };
  readonly calls: readonly CallPlan[];
  /** Messages that are sent while a card is open (C17), of which the last may be taken back. */
  readonly queued: number;
  readonly cancelsQueued: boolean;
  readonly stop?: {
    readonly when: 'while-open' | 'once-answered' | 'any-time';
    readonly afterMs: number;
  };
}

const ENDINGS: Readonly<Record<CallEnding, number>> = {
  answer: 34,
  race: 30,
  skip: 10,
  nobody: 10,
  late: 8,
  extend: 8,
};

/** @param dice of this life alone */
export function planLife(dice: Dice, id: string): LifePlan {
  const calls = dice.percent(15) ? 2 : 1;
  const stops = dice.percent(15);
  return {
    id,
    says: dice.between(0, 3),
    pace: dice.between(0, 40),
    lag: { before: lag(dice), after: lag(dice) },
    calls: Array.from({ length: calls }, (_, n) => planCall(dice.of(`call ${n}`), `${id}-${n}`)),
    queued: dice.percent(25) ? dice.between(1, 3) : 0,
    cancelsQueued: dice.percent(30),
    ...(stops && {
      stop: {
        when: dice.pick(['while-open', 'once-answered', 'any-time'] as const),
        afterMs: dice.between(0, 400),
      },
    }),
  };
}

/** A kill between two steps needs a moment between them. */
const lag = (dice: Dice): number => (dice.percent(50) ? 0 : dice.between(1, 500));

function planCall(dice: Dice, call: string): CallPlan {
  const ending = dice.weighted(ENDINGS);
  const questions = dice.percent(25) ? dice.between(2, 3) : 1;
  // What nobody answers needs an end; what is late needs a deadline to be late for.
  const hasDeadline = ending === 'nobody' || ending === 'late' || dice.percent(5);
  const waits = hasDeadline ? dice.between(600, 6_000) : undefined;
  return {
    call,
    questions: Array.from({ length: questions }, (_, n) => planQuestion(dice, `${call}-${n}`)),
    ...(waits !== undefined && { waits }),
    ...(dice.percent(6) && { givesUpAfter: dice.between(50, 2_500) }),
    ending,
    thinkMs: ending === 'late' ? justAbout(dice, waits ?? 0) : thought(dice),
    changes: changes(dice, questions),
  };
}

/** Only what is not the last can be changed. */
const changes = (dice: Dice, questions: number): number =>
  questions > 1 && dice.percent(40) ? dice.between(1, 2) : 0;

const justAbout = (dice: Dice, ms: number): number => Math.max(0, ms + dice.between(-300, 300));

const thought = (dice: Dice): number =>
  dice.percent(30) ? dice.between(0, 20) : dice.between(20, 2_000);

function planQuestion(dice: Dice, name: string): Question {
  return {
    kind: 'question',
    question: `What about ${name}?`,
    options: Array.from({ length: dice.between(0, 4) }, (_, n) => ({ label: `choice ${n}` })),
    allowsSeveral: dice.percent(25),
    offersSelectSeveral: false,
    notes: [],
  };
}

/** The message that makes a scripted client live this life. */
export function lifeScript({ id, says, pace, lag, calls }: LifePlan): string {
  const asked = calls.map(({ call, questions, waits, givesUpAfter }) => ({
    ...{ call, questions, waits, givesUpAfter },
  }));
  return `Live ${id}. LIFE ${JSON.stringify({ id, says, pace, lag, calls: asked })}`;
}
