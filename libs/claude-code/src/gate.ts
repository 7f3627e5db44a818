import { z } from 'zod';
import type { RelayMode } from '#contracts';
import { QUESTION_TOOL } from './asked.js';
import type { HookOutput, PermissionResult } from './sdk.js';

const PreToolUse = z.object({
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()),
});

export type Decision = { allowed: true } | { allowed: false; reason: string };

const NOT_READY = 'This conversation’s mode can’t be enforced yet, so nothing is done in it.';

/** What a mode lets through. Modes that are not real yet let nothing through (M7: never silently weaker). */
const BY_MODE: { [M in RelayMode]: Decision } = {
  autopilot: { allowed: true },
  ask: { allowed: false, reason: NOT_READY },
  plan: { allowed: false, reason: NOT_READY },
};

/** Tools by which the client would change its own mode; only the person changes it (M1). */
const MODE_TOOLS: Readonly<Record<string, string>> = {
  EnterPlanMode:
    'Only the person changes the mode of this conversation. Plan in your reply, then go on.',
  ExitPlanMode: 'This conversation is not in plan mode. Go on with the work.',
};

export function decide(tool: string, mode: RelayMode): Decision {
  const reason = Object.hasOwn(MODE_TOOLS, tool) ? MODE_TOOLS[tool] : undefined;
  return reason === undefined ? BY_MODE[mode] : { allowed: false, reason };
}

/**
 * The gate proper: allow rules in settings files and read-only commands never reach `canUseTool`, but every
 * call comes past this hook. A question is not decided here: its answer is given in `canUseTool`.
 */
export function gateHook(input: unknown, mode: RelayMode): HookOutput {
  const read = PreToolUse.safeParse(input);
  if (!read.success) return refused('The call could not be read, so it is not allowed.');
  if (read.data.tool_name === QUESTION_TOOL) return {};
  const decision = decide(read.data.tool_name, mode);
  if (!decision.allowed) return refused(decision.reason);
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      // What runs is what was decided on.
      updatedInput: read.data.tool_input,
    },
  };
}

const refused = (reason: string): HookOutput => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
});

/** The same decision for calls that the client asks about although the hook has let them through. */
export function permissionFor(
  tool: string,
  input: Record<string, unknown>,
  mode: RelayMode,
): PermissionResult {
  const decision = decide(tool, mode);
  return decision.allowed
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: decision.reason };
}
