import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  makeVisible,
  PlanProposal,
  toldOfVerdict,
  type Action,
  type GiveAnswer,
  type RelayMode,
} from '#contracts';
import {
  classifyAction,
  describeAction,
  isStillAsShown,
  NotShowable,
  type ActionGate,
  type WorkPlace,
} from '#provider-kit';
import { QUESTION_TOOL } from './asked.js';
import type { HookOutput, PermissionResult } from './sdk.js';
import { toolUse } from './tool-use.js';

const PreToolUse = z.object({
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
});

export type Decision =
  | { is: 'allow' }
  | { is: 'refuse'; reason: string }
  /** The person has to be asked about exactly this. */
  | { is: 'ask'; action: Action };

/** The client's own tool to propose a plan. */
export const PLAN_TOOL = 'ExitPlanMode';

const ONLY_THE_PERSON =
  'Only the person changes the mode of this conversation. Plan in your reply, then go on.';
const NOT_PLANNING = 'This conversation is not in plan mode. Go on with the work.';
const NOT_READ = 'The call could not be read, so it is not allowed.';
const CHANGED =
  'This is not what the person allowed: the file, or the call, has changed since it was shown. Look at it again, then ask again.';

/** Decides about each call of the client's by what the relay says at that moment. It fails closed. */
export class ToolGate {
  constructor(
    private readonly parts: {
      readonly gate: ActionGate;
      readonly place: WorkPlace;
      /** The client's own folder of plans, as it really is. */
      readonly plans: string;
      readonly mode: () => RelayMode;
    },
  ) {}

  async decide(tool: string, input: unknown): Promise<Decision> {
    if (tool === 'EnterPlanMode') return { is: 'refuse', reason: ONLY_THE_PERSON };
    const { gate, place, plans } = this.parts;
    try {
      const classified = await classifyAction(toolUse(tool, input, plans), place);
      const ruling = gate({ tool, kind: classified.kind, ...pathOf(classified) });
      if (ruling.rule === 'allow') return { is: 'allow' };
      if (ruling.rule === 'refuse') return { is: 'refuse', reason: ruling.reason };
      return { is: 'ask', action: await describeAction({ tool, input }, classified, place) };
    } catch (cause) {
      return { is: 'refuse', reason: cause instanceof NotShowable ? cause.message : NOT_READ };
    }
  }

  /**
   * The gate proper: allow rules in settings files and read-only commands never reach `canUseTool`, but every
   * call comes past this hook. A question, a plan and what the person is asked about are not decided here but in
   * `canUseTool`, which may take hours.
   */
  async hook(input: unknown): Promise<HookOutput> {
    const read = PreToolUse.safeParse(input);
    if (!read.success) return refused(NOT_READ);
    const { tool_name: tool, tool_input: given } = read.data;
    if (tool === QUESTION_TOOL) return {};
    if (tool === PLAN_TOOL) {
      const reason = this.planning();
      return reason === undefined ? said('ask') : refused(reason);
    }
    const decision = await this.decide(tool, given);
    switch (decision.is) {
      case 'allow':
        // What runs is what was decided on.
        return said('allow', { updatedInput: given });
      case 'refuse':
        return refused(decision.reason);
      case 'ask':
        return said('ask');
    }
  }

  /** Why no plan can be proposed now; absent where it can. */
  planning(): string | undefined {
    return this.parts.mode() === 'plan' ? undefined : NOT_PLANNING;
  }

  /** A command that a skill or a slash command would run while it loads: there is no call to ask about. */
  hookOfSkill(): HookOutput {
    const ruling = this.parts.gate({ tool: 'Skill', kind: 'run' });
    const decision = ruling.rule === 'allow' ? 'allow' : 'deny';
    return {
      hookSpecificOutput: { hookEventName: 'PreSkillShellCommand', permissionDecision: decision },
    };
  }

  /** What the client gets when the person has decided about an action: only what was shown runs, and only as it was. */
  async afterApproval(
    asked: { action: Action; tool: string; input: Record<string, unknown> },
    { cards, mode, outcome }: GiveAnswer,
  ): Promise<PermissionResult> {
    const [card] = cards;
    if (card?.verdict?.kind !== 'allow' || outcome !== 'answered') return denied(cards, mode);
    const { action, tool, input } = asked;
    const isSame =
      card.question.kind === 'approval' &&
      isDeepStrictEqual(withoutDiff(card.question.action), withoutDiff(action));
    if (!isSame || !(await this.#isStill(asked))) return { behavior: 'deny', message: CHANGED };
    const now = this.parts.gate({ tool, kind: action.kind, ...pathOf(action) });
    if (now.rule === 'refuse') return { behavior: 'deny', message: now.reason };
    return { behavior: 'allow', updatedInput: input };
  }

  /** A link may lead elsewhere by now, and the file may have changed. */
  async #isStill({
    action,
    tool,
    input,
  }: Parameters<ToolGate['afterApproval']>[0]): Promise<boolean> {
    const { place, plans } = this.parts;
    const now = await classifyAction(toolUse(tool, input, plans), place);
    const leadsThere = now.kind === action.kind && now.path === action.path;
    return leadsThere && (await isStillAsShown(action));
  }
}

/** A diff that did not fit a frame was left out on the way; it says no more than the arguments. */
const withoutDiff = ({ diff: _diff, ...action }: Action): Omit<Action, 'diff'> => action;

const pathOf = ({ path }: Pick<Action, 'path'>): Pick<Action, 'path'> =>
  path === undefined ? {} : { path };

const Proposed = z.looseObject({ plan: z.string().min(1) });

/** A plan as the person gets it; undefined where it can't be shown whole. */
export function planCard(input: unknown): PlanProposal | undefined {
  const proposed = Proposed.safeParse(input);
  if (!proposed.success) return undefined;
  return PlanProposal.safeParse({ kind: 'plan', plan: makeVisible(proposed.data.plan) }).data;
}

/** What the client gets when the person has read a plan. Approval that stays in plan ends the turn in words. */
export function afterPlan(
  input: Record<string, unknown>,
  { cards, mode }: GiveAnswer,
): PermissionResult {
  const verdict = cards[0]?.verdict;
  if (verdict?.kind !== 'approve-plan' || verdict.then === 'plan') return denied(cards, mode);
  const { edited } = verdict;
  return {
    behavior: 'allow',
    updatedInput: edited === undefined ? input : { ...input, plan: edited },
  };
}

function denied(cards: GiveAnswer['cards'], mode: RelayMode): PermissionResult {
  const [card] = cards;
  const message = card === undefined ? NOT_READ : toldOfVerdict(card, mode);
  return { behavior: 'deny', message };
}

function said(
  permissionDecision: 'allow' | 'ask',
  more: { updatedInput?: Record<string, unknown> } = {},
): HookOutput {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...more } };
}

const refused = (reason: string): HookOutput => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
});
