import { Body, Controller, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  AskChallenge,
  AskToken,
  DeviceId,
  RenameDevice,
  ROUTES,
  SignIn as SignInBody,
  type AccessToken,
  type Challenge,
  type Device,
  type Devices,
  type PairingLink,
  type SignedIn,
} from '#contracts';
import { OwnOrigins } from '../platform/own-origins.js';
import { Serves } from '../platform/serves.js';
import { Caller } from '../identity/caller.js';
import { ChangeDevice } from './change-device.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { MakeSignInLink } from './make-sign-in-link.js';
import { OwnDevices } from './own-devices.js';
import { ProveDevice } from './prove-device.js';
import { SignIn } from './sign-in.js';

/** How a key becomes a device. */
@Controller()
export class SignInController {
  constructor(
    private readonly signing: SignIn,
    private readonly proving: ProveDevice,
    private readonly origins: OwnOrigins,
  ) {}

  @Serves(ROUTES.signIn)
  signIn(
    @Body({ schema: SignInBody }) body: SignInBody,
    @Req() request: Request,
  ): Promise<SignedIn> {
    return this.signing.signIn(body, this.origins.originOf(this.origins.whereFrom(request)));
  }

  @Serves(ROUTES.challenge)
  challenge(@Body({ schema: AskChallenge }) body: AskChallenge): Promise<Challenge> {
    return this.proving.challenge(body.deviceId);
  }

  @Serves(ROUTES.token)
  token(@Body({ schema: AskToken }) body: AskToken, @Req() request: Request): Promise<AccessToken> {
    return this.proving.token(body, this.origins.originOf(this.origins.whereFrom(request)));
  }
}

@Controller()
export class DevicesController {
  constructor(
    private readonly own: OwnDevices,
    private readonly changing: ChangeDevice,
    private readonly links: MakeSignInLink,
  ) {}

  @Serves(ROUTES.devices)
  list(@Caller() caller: KnownDevice): Promise<Devices> {
    return this.own.list(caller);
  }

  @Serves(ROUTES.pairingLink)
  pairingLink(@Caller() caller: KnownDevice): Promise<PairingLink> {
    return this.links.forPairing(caller);
  }

  @Serves(ROUTES.acknowledgeLinkAlarms)
  acknowledgeLinkAlarms(@Caller() caller: KnownDevice): Promise<void> {
    return this.changing.acknowledgeLinkAlarms(caller);
  }

  @Serves(ROUTES.renameDevice)
  rename(
    @Param('id', { schema: DeviceId }) id: DeviceId,
    @Body({ schema: RenameDevice }) body: RenameDevice,
    @Caller() by: KnownDevice,
  ): Promise<Device> {
    return this.changing.rename({ id, name: body.name, by });
  }

  @Serves(ROUTES.revokeDevice)
  revoke(
    @Param('id', { schema: DeviceId }) id: DeviceId,
    @Caller() by: KnownDevice,
  ): Promise<void> {
    return this.changing.revoke({ id, by });
  }
}
