import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { LiveModule } from '../live/live.module.js';
import { ChangeDevice } from './change-device.js';
import { DevicesController, SignInController } from './devices.controller.js';
import { MakeSignInLink } from './make-sign-in-link.js';
import { OwnDevices } from './own-devices.js';
import { ProveDevice } from './prove-device.js';
import { SignIn } from './sign-in.js';

@Module({
  imports: [IdentityModule, LiveModule],
  controllers: [SignInController, DevicesController],
  providers: [ChangeDevice, MakeSignInLink, OwnDevices, ProveDevice, SignIn],
  exports: [MakeSignInLink],
})
export class DevicesModule {}
