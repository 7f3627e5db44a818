import { Controller, Module } from '@nestjs/common';
import { ROUTES, type Inbox } from '#contracts';
import { ConversationReads } from '#domain';
import { Caller } from '../identity/caller.js';
import type { KnownDevice } from '../identity/device-directory.js';
import { Serves } from '../platform/serves.js';

@Controller()
export class InboxController {
  constructor(private readonly reads: ConversationReads) {}

  /** D1: always the whole. */
  @Serves(ROUTES.inbox)
  inbox(@Caller() by: KnownDevice): Promise<Inbox> {
    return this.reads.inbox(by.personId);
  }
}

@Module({ controllers: [InboxController] })
export class InboxModule {}
