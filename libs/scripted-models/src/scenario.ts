import type { ModelCall } from './model-call.js';

/** One piece of a reply, played in order. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | {
      kind: 'tool';
      /** The tool's name as the client offers it. */
      name: string;
      input: Readonly<Record<string, unknown>>;
      /** The call's id; made from the place in the scenario when left out. */
      id?: string;
    }
  /** Waits here until `ScriptedModel.release(name)`; the stream stays open. */
  | { kind: 'hold'; name: string }
  /** An event of the stream as it is given here, for what no client knows. */
  | { kind: 'event'; event: { type: string; [field: string]: unknown } }
  /** Cuts the connection in the middle of the stream, as a broken network does. */
  | { kind: 'break' };

/** An error that the model's API answers with before it answers properly. */
export interface ApiFailure {
  /** HTTP status, such as 401, 429, 500 or 529. */
  status: number;
  /** The API's own name for it, such as `overloaded_error`. */
  type: string;
  message: string;
  /** Seconds that the client is told to wait. */
  retryAfter?: number;
  /** How often this failure is answered in a row; `Infinity` for ever. One time when left out. */
  times?: number;
}

export interface Usage {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** What the model does with one request. */
export interface Step {
  parts: readonly Part[];
  /** Answered first, in order, each as often as it says. */
  failures?: readonly ApiFailure[];
  usage?: Usage;
  /** Default: `tool_use` when a part calls a tool, else `end_turn`. */
  stopReason?: string;
}

/** A step, or one that is worked out from what the model was sent. */
export type ScriptedStep = Step | ((call: ModelCall) => Step);

/**
 * What the model does from one message of the person's on. The turn is found by `on`, a text that occurs
 * in the message; the step by how many replies the model has given since.
 */
export interface ScriptedTurn {
  on: string;
  steps: readonly ScriptedStep[];
}

export interface Scenario {
  name: string;
  turns: readonly ScriptedTurn[];
  /** How fast text is written; at once when left out. For people to watch, never for tests. */
  pace?: { charactersPerChunk: number; msBetweenChunks: number };
  /** What the model says where no turn or no further step is found. */
  otherwise?: ScriptedStep;
  /** Names of the models that the API lists. */
  models?: readonly { id: string; label: string }[];
}

export const text = (value: string): Part => ({ kind: 'text', text: value });
export const thinking = (value: string): Part => ({ kind: 'thinking', text: value });
export const hold = (name: string): Part => ({ kind: 'hold', name });
export const breakStream: Part = { kind: 'break' };

/** A call of a tool; `id` only where a test needs to know it beforehand. */
export const tool = (name: string, input: Readonly<Record<string, unknown>>, id?: string): Part =>
  id === undefined ? { kind: 'tool', name, input } : { kind: 'tool', name, input, id };

/** A step of these parts. */
export const say = (...parts: Part[]): Step => ({ parts });
