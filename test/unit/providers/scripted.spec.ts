import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeDriver, type ConformanceSubject } from '#provider-kit/conformance';
import { tool, type Scenario } from '#scripted-models';
import {
  ASKING_TOOL,
  SAYING_TOOL,
  ScriptedProvider,
} from '../../support/scripted-provider/index.js';

const EMPTY: Scenario = { name: 'empty', turns: [] };

/** The suite needs the driver before its scenario: the subject hands every call on to the one of the scenario. */
function scriptedSubject(): ConformanceSubject {
  let provider = new ScriptedProvider(EMPTY);
  return {
    driver: {
      descriptor: provider.descriptor,
      open: (host) => provider.open(host),
      status: () => provider.status(),
    },
    told: {
      oneLabel: 'Which database should the service use? PostgreSQL (Recommended)',
      severalLabels: 'Which checks should run? Lint, Unit tests',
      severalQuestions:
        'Which database should the service use? SQLite\nWhich checks should run? Lint, Types\nWhere should it run? There',
      freeText: 'Which database should the service use? Use what we have',
      ticksAndText: 'Which checks should run? Lint, Types; but not on Fridays',
      skipped:
        'The person read this question and skipped it: they neither answered nor declined anything. Do not ask it again. Go on without it, and say which assumption you made.',
      expired:
        'Nobody answered: no one was there while the question waited. Nobody declined, skipped or agreed to anything. Decide by your best judgement, say which assumption you made, and go on.',
      partly:
        '"Which database should the service use?" was answered: "SQLite".\n"Where should it run?": Nobody answered: no one was there while the question waited. Nobody declined, skipped or agreed to anything. Decide by your best judgement, say which assumption you made, and go on.',
    },
    ask: (id, questions) => tool(ASKING_TOOL, { questions }, id),
    work: (id, output) => tool(SAYING_TOOL, { output }, id),
    nonsense: (id) => tool(ASKING_TOOL, { questions: 'which?' }, id),
    start: async (scenario) => {
      provider = new ScriptedProvider(scenario);
      const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-scripted-'));
      return {
        model: provider.model,
        folder,
        host: {
          clientFolder: '',
          stateFolder: folder,
          homeFolder: folder,
          environment: {},
          settings: {},
          processes: { started: () => undefined, ended: () => undefined },
          log: () => undefined,
        },
        kill: (session) => {
          provider.sessions.get(session.sessionRef)?.crash();
          return Promise.resolve();
        },
        stop: async () => {
          await provider.model.stop();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

describeDriver(scriptedSubject());
