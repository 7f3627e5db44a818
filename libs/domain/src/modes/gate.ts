import type { Action, ActionKind, RelayMode } from '#contracts';

/** What the gate does with an action: lets it through, asks the person for leave, or refuses it. */
export type GateRule = 'allow' | 'ask' | 'refuse';

/** M2, M3, M4: what each mode does with each kind of action. */
export const GATE: { [K in ActionKind]: { [M in RelayMode]: GateRule } } = {
  bookkeeping: { autopilot: 'allow', ask: 'allow', plan: 'allow' },
  'read-inside': { autopilot: 'allow', ask: 'allow', plan: 'allow' },
  'read-outside': { autopilot: 'allow', ask: 'ask', plan: 'ask' },
  write: { autopilot: 'allow', ask: 'ask', plan: 'refuse' },
  'configure-agents': { autopilot: 'allow', ask: 'ask', plan: 'refuse' },
  run: { autopilot: 'allow', ask: 'ask', plan: 'refuse' },
  // Reaching out changes nothing here, and whoever plans may have to look something up.
  'reach-out': { autopilot: 'allow', ask: 'ask', plan: 'ask' },
  // The one write that plan lets through. Elsewhere it is a write like any other.
  'plan-file': { autopilot: 'allow', ask: 'ask', plan: 'allow' },
  secrets: { autopilot: 'refuse', ask: 'refuse', plan: 'refuse' },
  unknown: { autopilot: 'allow', ask: 'ask', plan: 'refuse' },
};

/** What the mode does with this action; `leaseEnded`: the hub has been away for longer than autopilot goes on without it (M6). */
export function gateRule(
  action: Pick<Action, 'kind'>,
  { mode, leaseEnded }: { readonly mode: RelayMode; readonly leaseEnded: boolean },
): GateRule {
  const rule = GATE[action.kind][mode];
  if (mode !== 'autopilot' || !leaseEnded) return rule;
  return GATE[action.kind].ask;
}

/** Why the gate refuses, for the agent to act on. */
export function gateRefusal(action: Pick<Action, 'kind' | 'tool'>, mode: RelayMode): string {
  if (action.kind === 'secrets') {
    return 'Refused: this reads what belongs to the hub or to another process. It is refused in every mode.';
  }
  return (
    `Refused: this conversation is in ${mode} mode, in which nothing is changed, and ${action.tool} could change something. ` +
    'Read what you need with your tools for reading, finish the plan, and propose it.'
  );
}
