import { Injectable } from '@nestjs/common';
import type { Conversation, ConversationId, ConversationPage, EventsPage } from '#contracts';
import { ConversationReads } from '#domain';
import type { KnownDevice } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';

/** The conversations of the person who asks; another person's do not exist. */
@Injectable()
export class OwnConversations {
  constructor(private readonly reads: ConversationReads) {}

  /** Throws `NOT_FOUND`. */
  async demand(id: ConversationId, caller: KnownDevice): Promise<Conversation> {
    const found = await this.reads.conversation(id);
    if (found?.personId !== caller.personId) throw notThere();
    return found.conversation;
  }

  async page(id: ConversationId, caller: KnownDevice): Promise<ConversationPage> {
    await this.demand(id, caller);
    const opened = await this.reads.open(id, 0);
    if (opened === undefined) throw notThere();
    return opened.page;
  }

  async eventsBefore(of: {
    id: ConversationId;
    before: number;
    limit: number;
    by: KnownDevice;
  }): Promise<EventsPage> {
    await this.demand(of.id, of.by);
    return this.reads.eventsBefore(of.id, of.before, of.limit);
  }
}

const notThere = (): HubRefusal => new HubRefusal('NOT_FOUND', 'There is no such conversation.');
