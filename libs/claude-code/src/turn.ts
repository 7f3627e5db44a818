import { randomUUID } from 'node:crypto';
import type { AgentEvent, Failure, TurnId, Usage } from '#contracts';
import type { SessionSink } from '#provider-kit';

export type TurnOutcome = Extract<AgentEvent, { kind: 'turn-ended' }>['outcome'];

/** Which turn runs. One begins with the first sign of the client's work, and ends with its result. */
export class Turns {
  #running: TurnId | undefined;
  #last: TurnId | undefined;

  constructor(private readonly sink: SessionSink) {}

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The running turn; begins one where none runs. */
  begin(): TurnId {
    if (this.#running !== undefined) return this.#running;
    const turnId = randomUUID() as TurnId;
    this.#running = turnId;
    this.#last = turnId;
    this.sink.event({ kind: 'turn-started', turnId });
    return turnId;
  }

  /** The turn that something belongs to which may come after its end, such as a sub-agent's work. */
  latest(): TurnId {
    return this.#running ?? this.#last ?? this.begin();
  }

  end(outcome: TurnOutcome, more: { failure?: Failure; usage?: Usage } = {}): void {
    const turnId = this.#running;
    if (turnId === undefined) return;
    this.#running = undefined;
    this.sink.event({ kind: 'turn-ended', turnId, outcome, ...more });
  }
}
