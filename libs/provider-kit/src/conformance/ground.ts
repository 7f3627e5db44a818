import type { ProviderRuntime } from '../driver.js';
import type { Conversation } from './conversation.js';
import type { ConformanceRig, ConformanceSubject } from './subject.js';

/** What the parts of the suite share: one model and one runtime for all conversations. */
export interface Ground {
  readonly subject: ConformanceSubject;
  rig(): ConformanceRig;
  runtime(): ProviderRuntime;
  /** A conversation of its own; ended with the suite. */
  converse(resume?: string): Promise<Conversation>;
}
