import type { CardId, Decision } from '#contracts';
import type { KnownDevice } from '../identity/device-directory.js';
import type { OfferedProof } from '../passkeys/passkey-gate.js';

/** A person's decision about a card, as a device sends it. */
export interface DecideCommand {
  readonly cardId: CardId;
  /** C15: the version that the person saw. */
  readonly version: number;
  readonly decision: Decision;
  readonly signature: string;
  /** S1: what the person's passkey says, at the checked origin of the page. */
  readonly proof: OfferedProof;
  readonly by: KnownDevice;
}
