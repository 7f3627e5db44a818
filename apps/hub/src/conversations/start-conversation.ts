import { randomUUID } from 'node:crypto';
import { win32 } from 'node:path';
import { Injectable } from '@nestjs/common';
import {
  ConversationId,
  type Conversation,
  type ProviderDescriptor,
  type StartConversation as StartBody,
} from '#contracts';
import { ConversationWrites, titleFrom, type NewConversation } from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { invalidField } from '../platform/hub-refusal.js';
import { RelayDirectory } from '../relays/relay-directory.js';
import { CatchUp } from '../telling/catch-up.js';
import { refusalOf } from '../telling/refusal-of.js';
import { Tell } from '../telling/tell.js';
import { demandMode } from './offered-modes.js';
import { OwnConversations } from './own-conversations.js';

/** D5: starts a conversation with its first message. Repeated with the same message id it is the same one. */
@Injectable()
export class StartConversation {
  constructor(
    private readonly relays: RelayDirectory,
    private readonly writes: ConversationWrites,
    private readonly own: OwnConversations,
    private readonly tell: Tell,
    private readonly catchUp: CatchUp,
  ) {}

  async start(body: StartBody, by: KnownDevice): Promise<Conversation> {
    const relay = await this.relays.find(body.relayId);
    if (relay === undefined) throw invalidField('relayId', 'names no relay of this hub');
    const offered = relay.providers.map(({ descriptor }) => descriptor);
    const descriptor = offered.find(({ id }) => id === body.provider);
    if (descriptor === undefined) {
      const names = offered.map(({ id }) => id).join(', ') || 'none';
      throw invalidField('provider', `is not offered by this relay; it offers: ${names}`);
    }
    demandFit(body, descriptor);
    const result = await this.writes.write({
      kind: 'create-conversation',
      conversation: newConversation(body, by),
      firstMessage: body.firstMessage,
      deed: { by: actorOf(by) },
    });
    if (result.ok) {
      this.tell.committed(result.committed);
      return result.committed.conversation;
    }
    if (result.refusal.code !== 'DUPLICATE_MESSAGE') throw refusalOf(result.refusal);
    this.catchUp.repeated();
    return this.own.demand(result.refusal.conversationId, by);
  }
}

/** What the provider can't do is refused in words, never silently changed (M7). */
function demandFit(body: StartBody, descriptor: ProviderDescriptor): void {
  const { engine, model, folder, mode } = body;
  if (!win32.isAbsolute(folder)) {
    throw invalidField('folder', 'must be an absolute path, such as /home/me/project');
  }
  const engines = descriptor.engines.map(({ id }) => id);
  if (engine !== undefined && !engines.includes(engine)) {
    throw invalidField('engine', `is not one of this provider's: ${engines.join(', ') || 'none'}`);
  }
  const models = descriptor.models.map(({ id }) => id);
  if (model !== undefined && !descriptor.anyModel && !models.includes(model)) {
    throw invalidField('model', `is not one of this provider's: ${models.join(', ')}`);
  }
  demandMode(descriptor, mode);
}

function newConversation(body: StartBody, by: KnownDevice): NewConversation {
  return {
    id: ConversationId.parse(randomUUID()),
    personId: by.personId,
    relayId: body.relayId,
    provider: body.provider,
    folder: body.folder,
    title: body.title ?? titleFrom(body.firstMessage.text),
    mode: body.mode,
    ...(body.engine === undefined ? {} : { engine: body.engine }),
    ...(body.model === undefined ? {} : { model: body.model }),
  };
}
