import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { decided, expired } from '#provider-kit/conformance';
import { say, tool, type ModelCall, type ScriptedStep, type ScriptedTurn } from '#scripted-models';
import {
  actionOf,
  askedFor,
  bash,
  calls,
  END,
  GatedClaude,
  type GatedTalk,
} from '../../support/gated-claude.js';

jest.setTimeout(180_000);

/** The client tells the model where its plan goes. */
const planFile = (call: ModelCall): string => {
  const found = /(\/\S+\/plans\/[\w.-]+\.md)/.exec(JSON.stringify(call.body));
  if (found?.[1] === undefined) throw new Error('the model was not told of a plan file');
  return found[1];
};
const writesPlan: ScriptedStep = (call) =>
  say(tool('Write', { file_path: planFile(call), content: PLAN }, `plan-file-${call.n}`));
const proposes = (id: string): ScriptedStep => say(tool('ExitPlanMode', {}, id));
const PLAN = '# The plan\n\n1. Look.\n2. Change it.\n';

const turns = (folder: string): ScriptedTurn[] => [
  calls('change it in plan', bash('in-plan', 'touch in-plan.txt')),
  calls(
    'write it in plan',
    tool('Write', { file_path: path.join(folder, 'in-plan.md'), content: 'x' }, 'write-plan'),
  ),
  {
    on: 'plan and wait',
    steps: [writesPlan, proposes('propose'), proposes('propose-again'), END],
  },
  {
    on: 'plan and go',
    steps: [writesPlan, proposes('go'), say(bash('after', 'touch after')), END],
  },
  { on: 'plan and stay', steps: [writesPlan, proposes('stay'), END] },
  calls('propose without planning', tool('ExitPlanMode', {}, 'unplanned')),
];

const ALLOW = decided({ kind: 'allow', scope: 'once' });

describe('plans of the Claude driver', () => {
  let claude: GatedClaude;

  beforeAll(async () => {
    claude = await GatedClaude.start(turns);
  });
  afterAll(() => claude.stop());

  const done = async ({ conversation }: GatedTalk): Promise<void> => {
    expect((await conversation.seen.turnEnd()).outcome).toBe('done');
    await conversation.session.close();
  };

  it.each([
    ['change it in plan', 'in-plan', 'in-plan.txt'],
    ['write it in plan', 'write-plan', 'in-plan.md'],
  ])('[M4] %s is refused without a question', async (message, id, file) => {
    const of = await claude.talk('plan', message);
    expect(await claude.told(id)).toContain('plan mode');
    expect(of.conversation.seen.asks).toEqual([]);
    await done(of);
    expect(existsSync(claude.file(file))).toBe(false);
  });

  it('[M4] the plan file is written without a question, the plan waits for approval, and comments send it back', async () => {
    const of = await claude.talk('plan', 'plan and wait');
    expect(await askedFor(of, 'propose')).toMatchObject({ kind: 'plan', plan: PLAN });
    const comments = 'Look twice.';
    await of.conversation.settle('propose', [decided({ kind: 'send-back', comments })]);
    expect(await claude.told('propose')).toContain('Look twice.');
    await askedFor(of, 'propose-again');
    await of.conversation.settle('propose-again', [expired]);
    expect(await claude.told('propose-again')).toContain('nobody was there');
    await done(of);
    expect(of.conversation.seen.asks).toHaveLength(2);
  });

  it('[M4] an approved plan goes on in the mode that was chosen, and one that was edited says so', async () => {
    const of = await claude.talk('plan', 'plan and go');
    await askedFor(of, 'go');
    of.mode = 'ask';
    await of.conversation.session.setMode('ask');
    const edited = '# Another plan\n';
    await of.conversation.settle('go', [decided({ kind: 'approve-plan', then: 'ask', edited })]);
    expect(await claude.told('go')).toMatch(/approved[\s\S]*Another plan/);
    expect((await actionOf(of, 'after')).command).toBe('touch after');
    await of.conversation.settle('after', [ALLOW]);
    await done(of);
    expect(existsSync(claude.file('after'))).toBe(true);
  });

  it('[M4] a plan that is approved and no more leaves the agent planning', async () => {
    const of = await claude.talk('plan', 'plan and stay');
    await askedFor(of, 'stay');
    await of.conversation.settle('stay', [decided({ kind: 'approve-plan', then: 'plan' })]);
    expect(await claude.told('stay')).toContain('Stay in planning');
    await done(of);
  });

  it('[M4] stopping the turn is no approval of its plan', async () => {
    const of = await claude.talk('plan', 'plan and go');
    await askedFor(of, 'go');
    await of.conversation.session.interrupt();
    expect((await of.conversation.seen.turnEnd()).outcome).toBe('interrupted');
    await of.conversation.session.close();
  });

  it('[M1] outside of plan the agent can’t propose a plan, which would change its mode', async () => {
    const of = await claude.talk('ask', 'propose without planning');
    expect(await claude.told('unplanned')).toContain('not in plan mode');
    expect(of.conversation.seen.asks).toEqual([]);
    await done(of);
  });
});
