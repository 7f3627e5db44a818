import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import {
  ListFolders,
  ProviderId,
  ProviderSettings,
  RelayId,
  ROUTES,
  type FolderListing,
  type ProviderStatus,
  type Relays,
} from '#contracts';
import { Caller } from '../identity/caller.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { Serves } from '../platform/serves.js';
import { AskRelay } from './ask-relay.js';
import { RelayDirectory } from './relay-directory.js';

const ProviderOfRelay = z.object({ id: RelayId, provider: ProviderId });
type ProviderOfRelay = z.infer<typeof ProviderOfRelay>;

@Controller()
export class RelaysController {
  constructor(
    private readonly directory: RelayDirectory,
    private readonly asking: AskRelay,
  ) {}

  @Serves(ROUTES.relays)
  async list(): Promise<Relays> {
    return { relays: await this.directory.list() };
  }

  @Serves(ROUTES.relayFolders)
  folders(
    @Param('id', { schema: RelayId }) id: RelayId,
    @Query({ schema: ListFolders }) query: { path?: string },
  ): Promise<FolderListing> {
    return this.asking.folders(id, query.path);
  }

  @Serves(ROUTES.providerSettings)
  configure(
    @Param({ schema: ProviderOfRelay }) params: ProviderOfRelay,
    @Body({ schema: ProviderSettings }) body: ProviderSettings,
    @Caller() by: KnownDevice,
  ): Promise<ProviderStatus> {
    const { id: relayId, provider } = params;
    return this.asking.configure({ relayId, provider, values: body.values, by });
  }
}
