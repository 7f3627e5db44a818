import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { ChangePasskeys } from './change-passkeys.js';
import { OwnPasskeys } from './own-passkeys.js';
import { PasskeyGate } from './passkey-gate.js';
import { PasskeyNonces } from './passkey-nonces.js';
import { PasskeysController } from './passkeys.controller.js';

/** The person's passkeys, and the gate that decisions pass which need one. */
@Module({
  imports: [IdentityModule],
  controllers: [PasskeysController],
  providers: [ChangePasskeys, OwnPasskeys, PasskeyGate, PasskeyNonces],
  exports: [PasskeyGate],
})
export class PasskeysModule {}
