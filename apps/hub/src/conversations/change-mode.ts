import { Injectable } from '@nestjs/common';
import type { ChangeMode as ChangeBody, Conversation } from '#contracts';
import { ConversationWrites } from '#domain';
import { actorOf } from '../identity/device-directory.js';
import { refusalOf } from '../telling/refusal-of.js';
import { Tell } from '../telling/tell.js';
import type { InConversation } from './change-conversation.js';
import { OfferedModes } from './offered-modes.js';

/** M1: a person changes the mode; what the provider can't hold to is refused in its words (M7). */
@Injectable()
export class ChangeMode {
  constructor(
    private readonly offered: OfferedModes,
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
  ) {}

  async change(at: InConversation, body: ChangeBody): Promise<Conversation> {
    const { conversationId, by } = at;
    await this.offered.demand(at, body.mode);
    const deed = { by: actorOf(by) };
    const result = await this.writes.write({ kind: 'change-mode', conversationId, ...body, deed });
    if (!result.ok) throw refusalOf(result.refusal);
    this.tell.committed(result.committed);
    return result.committed.conversation;
  }
}
