import path from 'node:path';
import { CARD_WAITS_MS, ProviderId, type ProviderDescriptor } from '#contracts';
import {
  DriverFailure,
  type AgentSession,
  type ProviderDriver,
  type ProviderRuntime,
  type StartSession,
} from '#provider-kit';
import { InProcessModel, type Scenario } from '#scripted-models';
import { ScriptedSession } from './session.js';
import { SessionFile } from './session-file.js';

const NOT_YET = 'The scripted agent has autopilot only.';

const descriptor: ProviderDescriptor = {
  id: ProviderId.parse('scripted'),
  label: 'Scripted',
  icon: '<path d="M4 4h16v12H9l-5 4z"/>',
  engines: [],
  models: [{ id: 'scripted', label: 'Scripted' }],
  anyModel: false,
  settings: [],
  capabilities: {
    questions: true,
    severalAnswers: true,
    severalQuestions: true,
    thoughts: true,
    interrupt: true,
    resume: true,
    evidence: 'tool-result',
    questionSurvivesRestart: false,
    reportsCost: false,
    modes: { autopilot: true, ask: { refused: NOT_YET }, plan: { refused: NOT_YET } },
  },
  cardWaits: CARD_WAITS_MS,
};

/**
 * A provider without a client: its agents run in the relay's own process and play a scenario at once. It is
 * for tests, the bench and the fault harness, over the real link; it is in no list of providers.
 */
export class ScriptedProvider implements ProviderDriver {
  readonly descriptor = descriptor;
  readonly model: InProcessModel;
  readonly sessions = new Map<string, ScriptedSession>();

  constructor(scenario: Scenario) {
    this.model = new InProcessModel(scenario);
  }

  status(): Promise<{ signedIn: 'yes' }> {
    return Promise.resolve({ signedIn: 'yes' });
  }

  open(host: { readonly stateFolder: string }): Promise<ProviderRuntime> {
    const fileOf = (sessionRef: string): SessionFile =>
      new SessionFile(path.join(host.stateFolder, 'sessions'), sessionRef);
    const start = (session: StartSession): Promise<AgentSession> => this.#start(session, fileOf);
    return Promise.resolve({
      start,
      wasTaken: ({ sessionRef, toolCallId }) => {
        const lines = fileOf(sessionRef).read();
        const taken = lines.some(
          (line) => line.kind === 'result' && line.toolCallId === toolCallId,
        );
        return Promise.resolve(taken ? 'yes' : 'no');
      },
      wasSent: ({ sessionRef, messageId }) => {
        const lines = fileOf(sessionRef).read();
        const sent = lines.some(
          (line) => line.kind === 'message' && line.messageIds.includes(messageId),
        );
        return Promise.resolve(sent ? 'yes' : 'no');
      },
      close: async () => {
        await Promise.all([...this.sessions.values()].map((session) => session.close()));
        this.sessions.clear();
      },
    });
  }

  async #start(start: StartSession, fileOf: (ref: string) => SessionFile): Promise<AgentSession> {
    if (start.mode !== 'autopilot') {
      throw new DriverFailure({ code: 'mode-unavailable', message: NOT_YET });
    }
    const sessionRef = start.resume ?? start.proposedRef;
    const session = new ScriptedSession(
      { model: this.model, file: fileOf(sessionRef), sessionRef },
      start,
    );
    this.sessions.set(sessionRef, session);
    return Promise.resolve(session);
  }
}
