import { Controller, Param } from '@nestjs/common';
import { RelayId, ROUTES, type Relay } from '#contracts';
import { Caller } from '../identity/caller.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { Serves } from '../platform/serves.js';
import { ResetRelay } from './reset-relay.js';

/** What a person does about a relay's tie to the hub. */
@Controller()
export class LinkController {
  constructor(private readonly resetting: ResetRelay) {}

  @Serves(ROUTES.resetRelay)
  reset(@Param('id', { schema: RelayId }) id: RelayId, @Caller() by: KnownDevice): Promise<Relay> {
    return this.resetting.reset(id, by);
  }
}
