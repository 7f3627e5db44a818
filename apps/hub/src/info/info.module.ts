import { Controller, Module } from '@nestjs/common';
import { ROUTES, type HubInfo } from '#contracts';
import { ConversationReads } from '#domain';
import { HubConfiguration } from '../platform/hub-configuration.js';
import { Serves } from '../platform/serves.js';
import { openApiDocument } from './openapi.js';

const OK = { status: 'ok' } as const;

/** What anyone who reaches the hub may know. */
@Controller()
export class InfoController {
  private document: Record<string, unknown> | undefined;

  constructor(
    private readonly configuration: HubConfiguration,
    private readonly reads: ConversationReads,
  ) {}

  @Serves(ROUTES.info)
  info(): HubInfo {
    const { version, demo } = this.configuration;
    return { name: 'coxswain', version, demo };
  }

  @Serves(ROUTES.openapi)
  openapi(): Record<string, unknown> {
    this.document ??= openApiDocument(this.configuration.version);
    return this.document;
  }

  @Serves(ROUTES.healthy)
  healthy(): typeof OK {
    return OK;
  }

  /** Rejects with `StoreUnavailable`, which is a 503, while the database is away. */
  @Serves(ROUTES.ready)
  async ready(): Promise<typeof OK> {
    await this.reads.now();
    return OK;
  }
}

@Module({ controllers: [InfoController] })
export class InfoModule {}
