import type { CardBody, PasskeyRequirement } from '#contracts';

/** Which kinds of cards each requirement means. */
const MEANT: { readonly [R in PasskeyRequirement]: (kind: CardBody['kind']) => boolean } = {
  off: () => false,
  // A plan is an approval too: with it goes the mode that it is carried out in.
  approvals: (kind) => kind === 'approval' || kind === 'plan',
  all: () => true,
};

/** S1: whether a decision about a card of this kind needs the person's passkey. */
export function needsPasskey(
  requirement: PasskeyRequirement,
  card: { kind: CardBody['kind'] },
): boolean {
  return MEANT[requirement](card.kind);
}

/**
 * Whether a passkey's counter tells of a copy: one that counts never says the same number twice, or a smaller one. Most
 * passkeys that are synced don't count and say 0 each time (WebAuthn, 6.1.1).
 */
export function counterWentBack(of: { readonly before: number; readonly now: number }): boolean {
  return (of.before > 0 || of.now > 0) && of.now <= of.before;
}
