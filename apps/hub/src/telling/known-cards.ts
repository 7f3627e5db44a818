import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CardBody, CardId, ConversationId, PersonId, RequestId } from '#contracts';
import { ConversationReads, type Committed } from '#domain';

/** What of a card never changes. How it stands, only the database's row says. */
export interface KnownCard {
  readonly requestId: RequestId;
  readonly conversationId: ConversationId;
  readonly personId: PersonId;
  readonly body: CardBody;
}

/** Characters of question text kept in all. */
const KEPT = 4_000_000;

/** The cards that opened last, so that a tap costs no query before its write. */
@Injectable()
export class KnownCards {
  private readonly kept = new LRUCache<CardId, KnownCard>({
    max: 5_000,
    maxSize: KEPT,
    sizeCalculation: ({ body }) => JSON.stringify(body).length,
  });

  constructor(private readonly reads: ConversationReads) {}

  learn({ requests, personId }: Committed): void {
    for (const request of requests) {
      if (request.status === 'closed') continue;
      for (const { id, requestId, conversationId, body } of request.cards) {
        if (!this.kept.has(id)) this.kept.set(id, { requestId, conversationId, personId, body });
      }
    }
  }

  async find(id: CardId): Promise<KnownCard | undefined> {
    const known = this.kept.get(id);
    if (known !== undefined) return known;
    const found = await this.reads.card(id);
    if (found === undefined) return undefined;
    const { requestId, conversationId, body } = found.card;
    return { requestId, conversationId, body, personId: found.personId };
  }
}
