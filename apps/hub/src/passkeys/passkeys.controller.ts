import { Body, Controller, Param } from '@nestjs/common';
import {
  PasskeyId,
  RegisterPasskey,
  RemovePasskey,
  RequirePasskeys,
  ROUTES,
  type PasskeyNonce,
  type Passkeys,
} from '#contracts';
import { CallerAtPage, type DeviceAtPage } from '../identity/caller.js';
import { Serves } from '../platform/serves.js';
import { ChangePasskeys } from './change-passkeys.js';
import { OwnPasskeys } from './own-passkeys.js';

@Controller()
export class PasskeysController {
  constructor(
    private readonly own: OwnPasskeys,
    private readonly changing: ChangePasskeys,
  ) {}

  @Serves(ROUTES.passkeys)
  list(@CallerAtPage() at: DeviceAtPage): Promise<Passkeys> {
    return this.own.list(at);
  }

  @Serves(ROUTES.passkeyNonce)
  nonce(@CallerAtPage() at: DeviceAtPage): Promise<PasskeyNonce> {
    return this.own.nonce(at);
  }

  @Serves(ROUTES.registerPasskey)
  async register(
    @Body({ schema: RegisterPasskey }) body: RegisterPasskey,
    @CallerAtPage() at: DeviceAtPage,
  ): Promise<Passkeys> {
    await this.changing.register(body, at);
    return this.own.list(at);
  }

  @Serves(ROUTES.requirePasskeys)
  async require(
    @Body({ schema: RequirePasskeys }) { requirement, proof }: RequirePasskeys,
    @CallerAtPage() at: DeviceAtPage,
  ): Promise<Passkeys> {
    await this.changing.require(requirement, proof, at);
    return this.own.list(at);
  }

  @Serves(ROUTES.removePasskey)
  async remove(
    @Param('id', { schema: PasskeyId }) id: PasskeyId,
    @Body({ schema: RemovePasskey }) { proof }: RemovePasskey,
    @CallerAtPage() at: DeviceAtPage,
  ): Promise<Passkeys> {
    await this.changing.remove(id, proof, at);
    return this.own.list(at);
  }
}
