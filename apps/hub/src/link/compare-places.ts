import { Injectable } from '@nestjs/common';
import type { HubCursor, RelayCursor, RelayId } from '#contracts';
import { LinkStore, type LinkCursor } from '#domain';

/** Where both ends of the link are. */
export interface Places {
  readonly conversations: HubCursor[];
  /** How far the relay has what this hub sent, for those conversations that it has not all of. */
  readonly behind: readonly { conversationId: HubCursor['conversationId']; received: number }[];
}

/** link.1, link.2: both ends' places, and which of the relay's conversations are not its any more. */
@Injectable()
export class ComparePlaces {
  constructor(private readonly link: LinkStore) {}

  async compare(relayId: RelayId, theirs: readonly RelayCursor[]): Promise<Places> {
    const ids = theirs.map(({ conversationId }) => conversationId);
    return places(theirs, await this.link.cursors(relayId, ids));
  }
}

function places(theirs: readonly RelayCursor[], ours: readonly LinkCursor[]): Places {
  const mine = new Map(ours.map((cursor) => [cursor.conversationId, cursor]));
  const received = new Map(theirs.map((cursor) => [cursor.conversationId, cursor]));
  const stale = theirs
    .filter(({ conversationId, epoch }) => mine.get(conversationId)?.epoch !== epoch)
    .map(({ conversationId, epoch }): HubCursor => {
      return { conversationId, epoch, sent: 0, received: 0, stale: true };
    });
  const staleIds = new Set(stale.map(({ conversationId }) => conversationId));
  const standing = ours.filter(({ conversationId }) => !staleIds.has(conversationId));
  const behind = standing.flatMap(({ conversationId, sent }) => {
    const has = received.get(conversationId)?.received ?? 0;
    return sent > has ? [{ conversationId, received: has }] : [];
  });
  const live = standing.map((cursor): HubCursor => ({ ...cursor, stale: false }));
  return { conversations: [...stale, ...live], behind };
}
