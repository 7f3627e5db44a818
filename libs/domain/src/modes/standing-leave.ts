import type { Action, Actor, CardBody, Grant, RelayMode } from '#contracts';

/** The hub lets an action through by the mode alone. */
const HUB: Actor = { principal: { kind: 'hub' }, name: 'hub' };

/** Leave that an action has already when it is asked about, and whose it is; absent where the person has to be asked. */
export interface StandingLeave {
  readonly by: Actor;
  /** `mode`: the conversation went to autopilot while the relay still asked. */
  readonly from: 'grant' | 'mode';
}

/** M3, M6: whether what a card asks for is allowed already. A plan never is. */
export function standingLeave(
  body: CardBody,
  on: { readonly mode: RelayMode; readonly grants: readonly Grant[] },
): StandingLeave | undefined {
  if (body.kind !== 'approval') return undefined;
  if (on.mode === 'autopilot') return { by: HUB, from: 'mode' };
  if (on.mode !== 'ask') return undefined;
  const grant = on.grants.find((one) => covers(one, body.action));
  return grant === undefined ? undefined : { by: grant.by, from: 'grant' };
}

/** The very same words in the very same folder. */
function covers(grant: Grant, { kind, grantable, folder }: Action): boolean {
  return (
    kind === 'run' &&
    grantable !== undefined &&
    grant.folder === folder &&
    grant.command.length === grantable.length &&
    grant.command.every((word, index) => word === grantable[index])
  );
}
