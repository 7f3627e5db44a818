import { Injectable } from '@nestjs/common';
import type { CardRequest, RequestId } from '#contracts';
import { ConversationReads, ConversationWrites } from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { refusalOf } from '../telling/refusal-of.js';
import { Tell } from '../telling/tell.js';

/** C7: lets a request wait longer, where its deadline is the hub's own. */
@Injectable()
export class ExtendDeadline {
  constructor(
    private readonly reads: ConversationReads,
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
  ) {}

  async extend(of: { requestId: RequestId; byMs: number; by: KnownDevice }): Promise<CardRequest> {
    const shown = await this.reads.request(of.requestId);
    if (shown === undefined || shown.personId !== of.by.personId) {
      throw new HubRefusal('NOT_FOUND', 'There is no such request.');
    }
    const result = await this.writes.write({
      kind: 'extend-deadline',
      conversationId: shown.request.conversationId,
      requestId: of.requestId,
      by: of.byMs,
      deed: { by: actorOf(of.by) },
    });
    if (!result.ok) throw refusalOf(result.refusal);
    this.tell.committed(result.committed);
    const request = result.committed.requests.find(({ id }) => id === of.requestId);
    if (request === undefined) throw new Error('an extension changed no request');
    return request;
  }
}
