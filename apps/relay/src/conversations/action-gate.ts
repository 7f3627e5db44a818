import type { RelayMode } from '#contracts';
import { gateRefusal, gateRule } from '#domain';
import type { ActionGate } from '#provider-kit';

/** M6: without its hub a relay goes on in autopilot for so long, then asks. */
export const AUTOPILOT_LEASE_MS = 15 * 60 * 1000;

/**
 * The gate of one conversation, as it is at the moment of each action.
 * @param hubAwayMs how long the hub has been away, in milliseconds; 0 while it is attached
 */
export function actionGate(parts: {
  readonly mode: () => RelayMode;
  readonly hubAwayMs: () => number;
}): ActionGate {
  return (action) => {
    const mode = parts.mode();
    const leaseEnded = parts.hubAwayMs() > AUTOPILOT_LEASE_MS;
    const rule = gateRule(action, { mode, leaseEnded });
    return rule === 'refuse' ? { rule, reason: gateRefusal(action, mode) } : { rule };
  };
}
