import { CallLog } from '../call-log.js';
import { Holds } from '../holds.js';
import type { ModelCall } from '../model-call.js';
import { ScenarioPlayer } from '../player.js';
import type { ApiFailure, Part, Scenario, Usage } from '../scenario.js';
import type { ScriptedModel } from '../scripted-model.js';

export type InProcessReply =
  | { kind: 'failure'; failure: ApiFailure }
  | { kind: 'parts'; parts: AsyncIterable<NumberedPart>; usage: Usage };

/** A part of a reply with what a tool call's id is made from. */
export interface NumberedPart {
  part: Exclude<Part, { kind: 'hold' }>;
  index: number;
}

/** The same player without a wire, for agents that run in the test's own process. */
export class InProcessModel implements ScriptedModel {
  readonly url = 'in-process:';
  readonly #player: ScenarioPlayer;
  readonly #log = new CallLog();
  readonly #holds = new Holds();

  constructor(scenario: Scenario) {
    this.#player = new ScenarioPlayer(scenario);
  }

  get calls(): readonly ModelCall[] {
    return this.#log.all;
  }

  call(wanted: (call: ModelCall) => boolean): Promise<ModelCall> {
    return this.#log.find(wanted);
  }

  held(name: string): Promise<void> {
    return this.#holds.reached(name);
  }

  release(name: string): void {
    this.#holds.release(name);
  }

  stop(): Promise<void> {
    this.#holds.releaseAll();
    return Promise.resolve();
  }

  /** What the model answers to a request of this conversation. */
  reply(call: ModelCall, conversation: string): InProcessReply {
    const { step, failure } = this.#player.play(call, conversation);
    this.#log.add(call);
    if (failure !== undefined) return { kind: 'failure', failure };
    const size = JSON.stringify(step.parts).length;
    const usage = step.usage ?? { input: 1_000, output: Math.ceil(size / 4) };
    return { kind: 'parts', parts: this.#play(step.parts), usage };
  }

  async *#play(parts: readonly Part[]): AsyncGenerator<NumberedPart> {
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'hold') await this.#holds.stand(part.name);
      else yield { part, index };
    }
  }
}
