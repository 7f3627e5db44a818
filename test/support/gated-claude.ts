import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Action, Approval, PlanProposal, RelayMode } from '#contracts';
import { gateRefusal, gateRule } from '#domain';
import type { ActionGate, ProviderRuntime } from '#provider-kit';
import { Conversation, type ConformanceRig } from '#provider-kit/conformance';
import { PROVIDERS } from '#providers';
import {
  say,
  text,
  tool,
  toolResult,
  type ModelCall,
  type Part,
  type ScriptedTurn,
} from '#scripted-models';
import { startRig } from './claude-code-subject.js';
import { driverOf } from './driver-of.js';
import { TOLD_BY_CLAUDE_CODE } from './told-by-claude-code.js';

export const END = say(text('Understood.'));
export const bash = (id: string, command: string): Part =>
  tool('Bash', { command, description: 'Runs it' }, id);
/** A turn in which the model makes these calls at once. */
export const calls = (on: string, ...parts: Part[]): ScriptedTurn => ({
  on,
  steps: [say(...parts), END],
});

/** A conversation whose mode a test changes. */
export interface GatedTalk {
  readonly conversation: Conversation;
  mode: RelayMode;
}

/** The real Claude client behind the gate's own table, in folders whose settings files allow everything. */
export class GatedClaude {
  private constructor(
    private readonly rig: ConformanceRig,
    private readonly runtime: ProviderRuntime,
  ) {}

  /** @param turns what the model does, given the agent's folder */
  static async start(turns: (folder: string) => ScriptedTurn[]): Promise<GatedClaude> {
    const driver = driverOf(PROVIDERS, 'claude');
    const settings = (url: string) => ({ baseUrl: url, apiKey: 'sk-of-a-test' });
    const known: { turns?: ScriptedTurn[] } = {};
    const scenario = {
      name: 'modes',
      get turns() {
        return known.turns ?? [];
      },
    };
    const rig = await startRig({ driver, told: TOLD_BY_CLAUDE_CODE, settings }, scenario);
    known.turns = turns(rig.folder);
    for (const at of [rig.host.homeFolder, rig.folder]) await writeSettings(at, ALLOW_ALL);
    return new GatedClaude(rig, await driver.open(rig.host));
  }

  async stop(): Promise<void> {
    await this.runtime.close();
    await this.rig.stop();
  }

  get folder(): string {
    return this.rig.folder;
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  /** Adds a hook of the client's own that runs a command before each call. */
  async hook(of: 'person' | 'folder', command: string): Promise<void> {
    const at = of === 'person' ? this.rig.host.homeFolder : this.folder;
    const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] };
    await writeSettings(at, { ...ALLOW_ALL, hooks });
  }

  async talk(mode: RelayMode, message: string): Promise<GatedTalk> {
    const now = { mode };
    const gate: ActionGate = (action) => {
      const rule = gateRule(action, { mode: now.mode, leaseEnded: false });
      return rule === 'refuse' ? { rule, reason: gateRefusal(action, now.mode) } : { rule };
    };
    const conversation = await Conversation.start(this.rig, this.runtime, { mode, gate });
    await conversation.say(message);
    return Object.assign(now, { conversation });
  }

  /** What the model reads as the result of a call. */
  async told(id: string): Promise<string> {
    const call: ModelCall = await this.rig.model.call((sent) => toolResult(sent, id) !== undefined);
    return toolResult(call, id) ?? '';
  }
}

/** Rules by which every call passes, as far as the client goes. */
const ALLOW_ALL = { permissions: { allow: ['Bash(*)', 'Read', 'Write', 'Edit'] } };

/** The client's settings of a person (in the home folder) or of a folder. */
async function writeSettings(at: string, settings: object): Promise<void> {
  await mkdir(path.join(at, '.claude'), { recursive: true });
  await writeFile(path.join(at, '.claude', 'settings.json'), JSON.stringify(settings));
}

/** What a card that is no question asks. */
export async function askedFor(
  { conversation }: GatedTalk,
  id: string,
): Promise<Approval | PlanProposal> {
  const [body] = (await conversation.seen.asked(id)).questions;
  if (body === undefined || body.kind === 'question') throw new Error('a question');
  return body;
}

export async function actionOf(of: GatedTalk, id: string): Promise<Action> {
  const body = await askedFor(of, id);
  if (body.kind !== 'approval') throw new Error('no approval');
  return body.action;
}
