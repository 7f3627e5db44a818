import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { RelayStore } from '#domain';
import { HubConfiguration } from '../platform/hub-configuration.js';

/** The relay beside the hub needs no pairing: the supervisor made both keys. */
@Injectable()
export class KnowLocalRelay implements OnApplicationBootstrap {
  constructor(
    private readonly configuration: HubConfiguration,
    private readonly relays: RelayStore,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { localRelay } = this.configuration;
    if (localRelay !== undefined) await this.relays.ensure(localRelay);
  }
}
