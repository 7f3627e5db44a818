import type { Part, Scenario, ScriptedModel } from '#scripted-models';
import type { AgentSession, DriverHost, ProviderDriver } from '../driver.js';

/** A question as the suite asks it; the subject puts it into its provider's own form. */
export interface SuiteQuestion {
  question: string;
  header: string;
  several: boolean;
  options: readonly { label: string; description: string; preview?: string }[];
}

/** What the model reads of each outcome, to the letter. The suite's questions stand in questions.ts. */
export interface ToldToModel {
  oneLabel: string;
  severalLabels: string;
  severalQuestions: string;
  freeText: string;
  ticksAndText: string;
  skipped: string;
  expired: string;
  partly: string;
}

/** One driver under test, with a scripted model behind its client. */
export interface ConformanceSubject {
  readonly driver: ProviderDriver;
  readonly told: ToldToModel;
  /** A call of the provider's question tool. */
  ask(toolCallId: string, questions: readonly SuiteQuestion[]): Part;
  /** A call of a harmless tool that gives back `output` somewhere in its result. */
  work(toolCallId: string, output: string): Part;
  /** A call of the question tool that makes no sense. */
  nonsense(toolCallId: string): Part;
  /** Starts the model, and makes ready what the driver needs. */
  start(scenario: Scenario): Promise<ConformanceRig>;
}

export interface ConformanceRig {
  readonly host: DriverHost;
  readonly model: ScriptedModel;
  /** A folder for agents to work in. */
  readonly folder: string;
  /** Kills the client of this session as `kill -9` does. */
  kill(session: AgentSession): Promise<void>;
  stop(): Promise<void>;
}
