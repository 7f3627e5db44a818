import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ProviderOnRelay, Question, Relay } from '#contracts';
import {
  personTexts,
  say,
  ScriptedMessagesApi,
  text,
  tool,
  type ModelCall,
  type Part,
  type Scenario,
  type Step,
} from '#scripted-models';
import type { DeviceClient } from '../../support/device-client.js';
import type { CallPlan } from '../plan/life-plan.js';
import type { ClientEntry } from '../records/records.js';
import type { Agents } from '../stage/agents.js';

const PROVIDER = 'claude';
const SCRIPT = /LIFE (\{.*\})/s;

/** The real Claude Code client, whose model is played: it asks what the message that it is sent says. */
export async function claudeAgents(): Promise<Agents> {
  const model = await ScriptedMessagesApi.start(SCENARIO);
  return {
    client: PROVIDER,
    async prepare(device: DeviceClient, { id }: Relay) {
      const values = { apiKey: 'dummy-key', baseUrl: model.url };
      const at = `/api/relays/${id}/providers/${PROVIDER}/settings`;
      const set = await device.call('PUT', at, JSON.stringify({ values }));
      if (set.status !== 200) throw new Error(JSON.stringify(set.body));
    },
    areReady: ({ providers }) => providers.some(isReady),
    place: (_dice, name) => ({ provider: PROVIDER, folder: name }),
    able: (life) => ({ ...life, says: 0, calls: life.calls.slice(0, 1).map(asTheClientAsks) }),
    records: ({ folder, home }) => transcripts(path.join(home, '.claude', 'projects'), folder),
    close: () => model.stop(),
  };
}

const isReady = ({ descriptor, status }: ProviderOnRelay): boolean =>
  String(descriptor.id) === PROVIDER && status.client.state === 'ready';

/** Its tool takes 2 to 4 options and no deadline; what nobody would answer would wait for eight hours. */
function asTheClientAsks({ call, questions, ending, thinkMs, changes }: CallPlan): CallPlan {
  return {
    ...{ call, thinkMs: Math.min(thinkMs, 2_000), changes },
    questions: questions.map((question) => ({
      ...question,
      options: [...question.options, ...ALWAYS].slice(0, 4),
    })),
    ending: ending === 'nobody' || ending === 'late' ? 'answer' : ending,
  };
}
const ALWAYS = [{ label: 'this one' }, { label: 'that one' }];

const SCENARIO: Scenario = {
  name: 'faults',
  turns: [{ on: 'LIFE {', steps: [askWhatWasSaid, noted] }],
  otherwise: noted,
};

/** No two replies are the same, so that one that comes twice can be told. */
function noted({ n }: ModelCall): Step {
  return say(text(`Noted #${n}.`));
}

function askWhatWasSaid(call: ModelCall): Step {
  const said = personTexts(call).findLast((words) => SCRIPT.test(words)) ?? '';
  const script = JSON.parse(SCRIPT.exec(said)?.[1] ?? '{}') as { calls: CallPlan[] };
  const parts = script.calls.filter((one) => !wasMade(call, one.call)).map(asking);
  return parts.length === 0 ? noted(call) : say(...parts);
}

/** A script that came twice is asked once, as a model would that reads what it has asked already. */
const wasMade = ({ messages }: ModelCall, call: string): boolean =>
  messages.some(({ pieces }) => pieces.some((piece) => piece.kind === 'tool' && piece.id === call));

const asking = ({ call, questions }: CallPlan): Part =>
  tool('AskUserQuestion', { questions: questions.map(asInput) }, call);

function asInput({ question, options, allowsSeveral }: Question) {
  return {
    ...{ question, header: 'Choice', multiSelect: allowsSeveral },
    options: options.map(({ label }) => ({ label, description: `About ${label}.` })),
  };
}

const Line = z.object({
  sessionId: z.string(),
  timestamp: z.string(),
  cwd: z.string(),
  uuid: z.string(),
});
const ToldLine = z.object({
  type: z.literal('user'),
  toolDenialKind: z.string().optional(),
  message: z.object({ content: z.union([z.string(), z.array(z.unknown())]) }),
});
const ResultBlock = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.unknown(),
});
const TextBlock = z.object({ type: z.literal('text'), text: z.string() });
const QueuedLine = z.object({
  type: z.literal('attachment'),
  attachment: z.object({ source_uuid: z.string() }).loose(),
});

/** The client's own transcripts of the sessions in a folder. */
async function transcripts(projects: string, folder: string): Promise<ClientEntry[]> {
  const names = await readdir(projects, { recursive: true }).catch(() => []);
  const files = names.filter((name) => /^[^/]+\/[0-9a-f-]{36}\.jsonl$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(path.join(projects, name), 'utf8')));
  return texts
    .flatMap((whole) => whole.split('\n'))
    .flatMap((line) => entriesOf(line, folder))
    .sort((one, other) => one.at - other.at);
}

function entriesOf(line: string, folder: string): ClientEntry[] {
  const raw = parsed(line);
  const about = Line.safeParse(raw).data;
  if (about === undefined || about.cwd !== folder) return [];
  const place = { life: about.sessionId, at: Date.parse(about.timestamp) };
  const queued = QueuedLine.safeParse(raw).data;
  if (queued !== undefined) {
    const { source_uuid: messageId } = queued.attachment;
    return [{ ...place, kind: 'message', messageId, text: JSON.stringify(queued.attachment) }];
  }
  const told = ToldLine.safeParse(raw).data;
  // What the client itself writes where a process died or a turn was stopped is no result of ours.
  if (told === undefined || BROKEN_OFF.has(told.toolDenialKind ?? '')) return [];
  const { content } = told.message;
  if (typeof content === 'string') {
    return [{ ...place, kind: 'message', messageId: about.uuid, text: content }];
  }
  return content.flatMap((block): ClientEntry[] => {
    const result = ResultBlock.safeParse(block).data;
    if (result !== undefined) {
      return [
        {
          ...{ ...place, kind: 'result', call: result.tool_use_id },
          text: JSON.stringify(result.content),
        },
      ];
    }
    const words = TextBlock.safeParse(block).data;
    if (words === undefined) return [];
    return [{ ...place, kind: 'message', messageId: about.uuid, text: words.text }];
  });
}

const BROKEN_OFF = new Set(['interrupted', 'user-rejected']);

function parsed(line: string): unknown {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
