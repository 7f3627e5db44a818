import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokens } from './access-tokens.js';
import { AnonymousLimits } from './anonymous-limits.js';
import { Authenticate } from './authenticate.js';
import { DeviceDirectory } from './device-directory.js';
import { PrincipalGuard } from './principal.guard.js';

/** Who calls. */
@Module({
  providers: [
    AccessTokens,
    AnonymousLimits,
    Authenticate,
    DeviceDirectory,
    { provide: APP_GUARD, useClass: PrincipalGuard },
  ],
  exports: [AccessTokens, Authenticate, DeviceDirectory],
})
export class IdentityModule {}
