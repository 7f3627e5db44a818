import { Injectable } from '@nestjs/common';
import type { Conversation, ConversationId, MessageId } from '#contracts';
import { ConversationWrites, type Deed, type Write } from '#domain';
import { invalidField } from '../platform/hub-refusal.js';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { CatchUp } from '../telling/catch-up.js';
import { refusalOf } from '../telling/refusal-of.js';
import { Tell } from '../telling/tell.js';
import { OwnConversations } from './own-conversations.js';

/** One of a person's conversations, and who acts. */
export interface InConversation {
  readonly conversationId: ConversationId;
  readonly by: KnownDevice;
}

/** What every write names. */
interface Target {
  readonly conversationId: ConversationId;
  readonly deed: Deed;
}

/** Everything that a person does to a conversation that is there: each a write of its own. */
@Injectable()
export class ChangeConversation {
  constructor(
    private readonly own: OwnConversations,
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
    private readonly catchUp: CatchUp,
  ) {}

  /** C17: queues the message, or hands it out when nothing runs. The same message again is a retry. */
  send(at: InConversation, message: { messageId: MessageId; text: string }): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'accept-message', ...message, ...to }));
  }

  cancelMessage(at: InConversation, messageId: MessageId): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'cancel-message', messageId, ...to }));
  }

  stop(at: InConversation): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'stop', ...to }));
  }

  revokeGrant(at: InConversation, grantId: string): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'revoke-grant', grantId, ...to }));
  }

  rename(at: InConversation, title: string): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'rename', title, ...to }));
  }

  archive(at: InConversation, archived: boolean): Promise<Conversation> {
    return this.change(at, (to) => ({ kind: 'archive', archived, ...to }));
  }

  async delete(at: InConversation): Promise<void> {
    await this.change(at, (to) => ({ kind: 'delete', ...to }));
  }

  private async change(at: InConversation, write: (to: Target) => Write): Promise<Conversation> {
    const before = await this.own.demand(at.conversationId, at.by);
    const result = await this.writes.write(
      write({ conversationId: at.conversationId, deed: { by: actorOf(at.by) } }),
    );
    if (result.ok) {
      this.tell.committed(result.committed);
      return result.committed.conversation;
    }
    if (result.refusal.code !== 'DUPLICATE_MESSAGE') throw refusalOf(result.refusal);
    if (result.refusal.conversationId !== at.conversationId) {
      throw invalidField('messageId', 'names a message of another conversation');
    }
    this.catchUp.repeated();
    return before;
  }
}
