import { Injectable } from '@nestjs/common';
import type { ProviderDescriptor, RelayMode } from '#contracts';
import { modeRefusal } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';
import { RelayDirectory } from '../relays/relay-directory.js';
import type { InConversation } from './change-conversation.js';
import { OwnConversations } from './own-conversations.js';

/** M7: which modes a conversation's provider really keeps. */
@Injectable()
export class OfferedModes {
  constructor(
    private readonly own: OwnConversations,
    private readonly relays: RelayDirectory,
  ) {}

  /** Throws `NOT_FOUND` where it is not the caller's, `MODE_REFUSED` in the provider's own words. */
  async demand({ conversationId, by }: InConversation, mode: RelayMode): Promise<void> {
    const { relayId, provider } = await this.own.demand(conversationId, by);
    const descriptor = await this.relays.descriptor(relayId, provider);
    if (descriptor === undefined) refuse('The relay does not offer this provider any more.');
    demandMode(descriptor, mode);
  }
}

/** Throws `MODE_REFUSED` in the provider's own words where it can't keep the mode. */
export function demandMode(descriptor: ProviderDescriptor, mode: RelayMode): void {
  const refused = modeRefusal(descriptor, mode);
  if (refused !== undefined) refuse(refused);
}

function refuse(problem: string): never {
  throw new HubRefusal('MODE_REFUSED', problem, { fields: [{ field: 'mode', problem }] });
}
