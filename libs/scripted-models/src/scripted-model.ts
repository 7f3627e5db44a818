import type { ModelCall } from './model-call.js';

/** A model server that plays a scenario, whatever API it speaks. */
export interface ScriptedModel {
  /** Where clients are pointed to; the loopback only. */
  readonly url: string;
  /** Every request for a reply, in the order they came. */
  readonly calls: readonly ModelCall[];
  /** The first request, past or to come, that is wanted. */
  call(wanted: (call: ModelCall) => boolean): Promise<ModelCall>;
  /** Resolves once a reply stands at that hold. */
  held(name: string): Promise<void>;
  /** Lets the reply at that hold go on. */
  release(name: string): void;
  /** Ends every connection and frees the port. */
  stop(): Promise<void>;
}
