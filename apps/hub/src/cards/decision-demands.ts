import { Injectable } from '@nestjs/common';
import type { Deed } from '#domain';
import { OfferedModes } from '../conversations/offered-modes.js';
import { PasskeyGate } from '../passkeys/passkey-gate.js';
import type { KnownCard } from '../telling/known-cards.js';
import type { DecideCommand } from './decide-command.js';

/** What a decision must meet besides its signature and its card. */
@Injectable()
export class DecisionDemands {
  constructor(
    private readonly passkeys: PasskeyGate,
    private readonly modes: OfferedModes,
  ) {}

  /**
   * M7: a plan is not approved into a mode that the provider can't keep. S1: where passkeys are required, one has signed
   * just this text.
   *
   * @returns what the audit log keeps of the passkey
   * @throws HubRefusal MODE_REFUSED, PASSKEY_NEEDED, PASSKEY_REFUSED
   */
  async meet(
    shown: KnownCard,
    { decision, by, proof }: DecideCommand,
    text: string,
  ): Promise<Pick<Deed, 'passkey'>> {
    if (decision.kind === 'verdict' && decision.verdict.kind === 'approve-plan') {
      const { conversationId } = shown;
      await this.modes.demand({ conversationId, by }, decision.verdict.then);
    }
    const passkey = await this.passkeys.forCard(shown.body, { by, text, proof });
    return passkey === undefined ? {} : { passkey };
  }
}
