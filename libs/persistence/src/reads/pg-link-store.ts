import type { ConversationId, HubEnvelope, RelayId } from '#contracts';
import { LinkStore, type LinkCursor } from '#domain';
import type pg from 'pg';
import { ACKNOWLEDGED, LINK_CURSORS, OUTBOX } from './queries.js';

/** The hub's end of the link: how far each conversation has come, and what its relay has yet to take. */
export class PgLinkStore extends LinkStore {
  constructor(private readonly pool: pg.Pool) {
    super();
  }

  async cursors(
    relayId: RelayId,
    conversationIds: readonly ConversationId[],
  ): Promise<readonly LinkCursor[]> {
    const { rows } = await this.pool.query<LinkCursor>({
      name: 'link-cursors',
      text: LINK_CURSORS,
      values: [relayId, conversationIds],
    });
    return rows;
  }

  async outbox(
    { conversationId, epoch }: Pick<HubEnvelope, 'conversationId' | 'epoch'>,
    after: number,
    limit: number,
  ): Promise<readonly HubEnvelope[]> {
    const { rows } = await this.pool.query<HubEnvelope>({
      name: 'outbox',
      text: OUTBOX,
      values: [conversationId, epoch, after, limit],
    });
    return rows;
  }

  async acknowledged(
    relayId: RelayId,
    upTo: readonly { conversationId: ConversationId; epoch: number; n: number }[],
  ): Promise<void> {
    await this.pool.query({
      name: 'acknowledged',
      text: ACKNOWLEDGED,
      values: [
        relayId,
        upTo.map(({ conversationId }) => conversationId),
        upTo.map(({ epoch }) => epoch),
        upTo.map(({ n }) => n),
      ],
    });
  }
}
