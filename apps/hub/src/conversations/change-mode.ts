import { Injectable } from '@nestjs/common';
import type { ChangeMode as ChangeBody, Conversation } from '#contracts';
import { ConversationWrites, modeRefusal } from '#domain';
import { actorOf } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { RelayDirectory } from '../relays/relay-directory.js';
import { refusalOf } from '../telling/refusal-of.js';
import { Tell } from '../telling/tell.js';
import type { InConversation } from './change-conversation.js';
import { OwnConversations } from './own-conversations.js';

/** M1: a person changes the mode; what the provider can't hold to is refused in its words (M7). */
@Injectable()
export class ChangeMode {
  constructor(
    private readonly own: OwnConversations,
    private readonly relays: RelayDirectory,
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
  ) {}

  async change(at: InConversation, { mode, version }: ChangeBody): Promise<Conversation> {
    const { conversationId, by } = at;
    const conversation = await this.own.demand(conversationId, by);
    const { relayId, provider } = conversation;
    const descriptor = await this.relays.descriptor(relayId, provider);
    const refused =
      descriptor === undefined
        ? 'The relay does not offer this provider any more.'
        : modeRefusal(descriptor, mode);
    if (refused !== undefined) {
      throw new HubRefusal('MODE_REFUSED', refused, {
        fields: [{ field: 'mode', problem: refused }],
      });
    }
    const deed = { by: actorOf(by) };
    const result = await this.writes.write({
      kind: 'change-mode',
      conversationId,
      mode,
      version,
      deed,
    });
    if (!result.ok) throw refusalOf(result.refusal);
    this.tell.committed(result.committed);
    return result.committed.conversation;
  }
}
