import type { Action, RelayMode } from '#contracts';
import { gateRefusal, gateRule } from '#domain';
import { isWithin, type ActionGate } from '#provider-kit';

/** M6: without its hub a relay goes on in autopilot for so long, then asks. */
export const AUTOPILOT_LEASE_MS = 15 * 60 * 1000;

export interface ActionGateParts {
  /** The conversation's own folder, as it really is. */
  readonly folder: string;
  /** Folders with what belongs to hub and relay, as they really are. */
  readonly secretFolders: readonly string[];
  /** The mode in force at this moment. */
  mode(): RelayMode;
  /** How long the hub has been away, in milliseconds; 0 while it is attached. */
  hubAwayMs(): number;
}

/** The gate of one conversation, as it is at the moment of each action. */
export function actionGate(parts: ActionGateParts): ActionGate {
  return (asked) => {
    const action = isSecret(asked, parts) ? { ...asked, kind: 'secrets' as const } : asked;
    const mode = parts.mode();
    const leaseEnded = parts.hubAwayMs() > AUTOPILOT_LEASE_MS;
    const rule = gateRule(action, { mode, leaseEnded });
    return rule === 'refuse' ? { rule, reason: gateRefusal(action, mode) } : { rule };
  };
}

/** An agent that was given a folder among the secret ones, as the demo's are, works in that folder and in no other there. */
function isSecret(
  { path }: Pick<Action, 'path'>,
  { folder, secretFolders }: ActionGateParts,
): boolean {
  if (path === undefined) return false;
  return secretFolders.some(
    (secret) => isWithin(path, secret) && !(isWithin(folder, secret) && isWithin(path, folder)),
  );
}
