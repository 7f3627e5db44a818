import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RequestId, ToolCallId, type Action, type GiveAnswer, type Verdict } from '#contracts';
import type { ActionGate } from '#provider-kit';
import { ToolGate } from './gate.js';

const ALLOW: ActionGate = () => ({ rule: 'allow' });
const ASK: ActionGate = () => ({ rule: 'ask' });
const REFUSE: ActionGate = () => ({ rule: 'refuse', reason: 'Refused.' });

const gateOf = (gate: ActionGate, mode: 'autopilot' | 'ask' | 'plan' = 'ask'): ToolGate =>
  new ToolGate({
    gate,
    place: { folder: '/tmp', homeFolder: '/root' },
    plans: '/root/.claude/plans',
    mode: () => mode,
  });
const decisionOf = async (gate: ToolGate, input: unknown): Promise<string | undefined> =>
  (await gate.hook(input)).hookSpecificOutput?.permissionDecision;
const LS = { tool_name: 'Bash', tool_input: { command: 'ls' } };

describe('the gate', () => {
  it('[M2] lets a tool run with the very input that was decided on', async () => {
    expect(await gateOf(ALLOW).hook(LS)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'ls' },
      },
    });
  });

  it('[P1] does not decide a question', async () => {
    expect(await gateOf(REFUSE).hook({ tool_name: 'AskUserQuestion', tool_input: {} })).toEqual({});
  });

  it('[M1] lets no agent plan by itself', async () => {
    expect(await decisionOf(gateOf(ALLOW), { tool_name: 'EnterPlanMode', tool_input: {} })).toBe(
      'deny',
    );
  });

  it('[M4] takes a plan in plan mode and in no other', async () => {
    const plan = { tool_name: 'ExitPlanMode', tool_input: {} };
    expect(await decisionOf(gateOf(ASK, 'plan'), plan)).toBe('ask');
    expect(await decisionOf(gateOf(ALLOW, 'autopilot'), plan)).toBe('deny');
  });

  it.each([undefined, null, {}, { tool_name: 'Bash' }, { tool_name: 7, tool_input: {} }])(
    '[security] fails closed on %j',
    async (input) => {
      expect(await decisionOf(gateOf(ALLOW), input)).toBe('deny');
    },
  );

  it('[security] refuses where the relay’s ruling fails', async () => {
    const broken: ActionGate = () => {
      throw new Error('no ruling');
    };
    expect(await decisionOf(gateOf(broken), LS)).toBe('deny');
  });

  it('[M3] refuses what can’t be shown whole', async () => {
    const command = `echo ${'x'.repeat(200_000)}`;
    const refused = await gateOf(ASK).hook({ tool_name: 'Bash', tool_input: { command } });
    expect(refused.hookSpecificOutput?.permissionDecisionReason).toContain('smaller steps');
  });

  it('[M2] lets what is too long to be shown run where nobody has to be asked', async () => {
    const command = `echo ${'x'.repeat(200_000)}`;
    expect(await decisionOf(gateOf(ALLOW), { tool_name: 'Bash', tool_input: { command } })).toBe(
      'allow',
    );
  });

  it.each([
    ['allow', ALLOW],
    ['deny', ASK],
    ['deny', REFUSE],
  ] as const)(
    '[M3] a command in a skill that loads is decided by the mode: %s',
    (decision, gate) => {
      expect(gateOf(gate).hookOfSkill().hookSpecificOutput?.permissionDecision).toBe(decision);
    },
  );
});

describe('after approval', () => {
  const shown = async (): Promise<Action> => {
    const decision = await gateOf(ASK).decide('Bash', { command: 'ls' });
    if (decision.is !== 'ask') throw new Error('not asked');
    return decision.action;
  };
  const answer = (action: Action, verdict?: Verdict): GiveAnswer => ({
    kind: 'give-answer',
    requestId: RequestId.parse(randomUUID()),
    toolCallId: ToolCallId.parse('call'),
    outcome: verdict === undefined ? 'expired' : 'answered',
    mode: 'ask',
    cards: [
      {
        question: { kind: 'approval', action, notes: [] },
        outcome: verdict === undefined ? 'expired' : 'answered',
        ...(verdict && { verdict }),
      },
    ],
  });
  const allow: Verdict = { kind: 'allow', scope: 'once' };
  const asked = async () => ({ action: await shown(), tool: 'Bash', input: { command: 'ls' } });

  it('[M3] the input runs that was shown', async () => {
    const call = await asked();
    expect(await gateOf(ASK).afterApproval(call, answer(call.action, allow))).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    });
  });

  it('[M3] leave for another action lets nothing run', async () => {
    const call = await asked();
    const other = { ...call.action, command: 'rm -rf /' };
    expect(await gateOf(ASK).afterApproval(call, answer(other, allow))).toMatchObject({
      behavior: 'deny',
    });
  });

  it('[M3] an edit through a link that leads elsewhere by now is not made', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'coxswain-gate-')));
    await Promise.all(['a', 'b'].map((name) => mkdir(path.join(folder, name))));
    const link = path.join(folder, 'link');
    await symlink(path.join(folder, 'a'), link);
    const place = { folder, homeFolder: folder };
    const gate = new ToolGate({ gate: ASK, place, plans: '/plans', mode: () => 'ask' });
    const input = { file_path: path.join(link, 'x.txt'), content: 'x' };
    const decision = await gate.decide('Write', input);
    if (decision.is !== 'ask') throw new Error('not asked');
    await rm(link);
    await symlink(path.join(folder, 'b'), link);
    const call = { action: decision.action, tool: 'Write', input };
    const result = await gate.afterApproval(call, answer(decision.action, allow));
    await rm(folder, { recursive: true });
    expect(result).toMatchObject({ behavior: 'deny' });
  });

  it('[M6] the mode is looked at once more when it would run', async () => {
    const call = await asked();
    expect(await gateOf(REFUSE).afterApproval(call, answer(call.action, allow))).toEqual({
      behavior: 'deny',
      message: 'Refused.',
    });
  });

  it('[M5] no decision is no leave', async () => {
    const call = await asked();
    expect(await gateOf(ASK).afterApproval(call, answer(call.action))).toMatchObject({
      behavior: 'deny',
    });
  });
});
