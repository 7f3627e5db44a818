import { textOf, type Message, type ModelCall } from './model-call.js';
import type { ApiFailure, Scenario, ScriptedStep, ScriptedTurn, Step } from './scenario.js';

/** Where in a scenario a call stands. */
export interface Place {
  /** The turn's `on`; undefined where none was found. */
  turn: string | undefined;
  /** How many replies the model has given in this turn. */
  step: number;
}

export type Played = { step: Step; place: Place; failure: ApiFailure | undefined };

const SILENT: Step = { parts: [{ kind: 'text', text: 'Done.' }] };

/** Finds the step that a call asks for, and counts the failures that were answered already. */
export class ScenarioPlayer {
  readonly #answered = new Map<string, number>();

  constructor(readonly scenario: Scenario) {}

  play(call: ModelCall, conversation: string): Played {
    const { place, scripted } = this.#find(call);
    const step = typeof scripted === 'function' ? scripted(call) : scripted;
    const key = `${conversation}\n${place.turn ?? ''}\n${place.step}`;
    return { step, place, failure: this.#nextFailure(key, step) };
  }

  /**
   * The turn is the one named in the newest message that names any. A message can name several: a client
   * puts what failed before and what is new into one, so the one named last counts.
   */
  #find(call: ModelCall): { place: Place; scripted: ScriptedStep } {
    const otherwise = this.scenario.otherwise ?? SILENT;
    for (let at = call.messages.length - 1; at >= 0; at -= 1) {
      const turn = this.#namedLast(call.messages[at]);
      if (turn === undefined) continue;
      const step = repliesSince(call, at);
      return { place: { turn: turn.on, step }, scripted: turn.steps[step] ?? otherwise };
    }
    return { place: { turn: undefined, step: repliesSince(call, -1) }, scripted: otherwise };
  }

  #namedLast(message: Message | undefined): ScriptedTurn | undefined {
    if (message?.role !== 'user') return undefined;
    const text = textOf(message);
    const named = this.scenario.turns
      .map((turn) => ({ turn, at: text.lastIndexOf(turn.on) }))
      .filter((found) => found.at >= 0);
    return named.sort((one, other) => other.at - one.at)[0]?.turn;
  }

  #nextFailure(key: string, step: Step): ApiFailure | undefined {
    const before = this.#answered.get(key) ?? 0;
    let until = 0;
    for (const failure of step.failures ?? []) {
      until += failure.times ?? 1;
      if (before >= until) continue;
      this.#answered.set(key, before + 1);
      return failure;
    }
    return undefined;
  }
}

const repliesSince = (call: ModelCall, at: number): number =>
  call.messages.slice(at + 1).filter((message) => message.role === 'assistant').length;
