import { Injectable } from '@nestjs/common';
import type { HubCursor, RelayCursor, RelayId } from '#contracts';
import { LinkStore, type LinkCursor } from '#domain';
import { lineKey, type Assignment } from '../relays/relay-connections.js';

/** Where both ends of the link are. */
export interface Places {
  readonly conversations: HubCursor[];
  /** How far the relay has what this hub sent, for those conversations that it has not all of. */
  readonly behind: readonly (Assignment & { readonly received: number })[];
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

/** An assignment that is over is stale; one that is new to the relay stands beside it, with nothing received. */
function places(theirs: readonly RelayCursor[], ours: readonly LinkCursor[]): Places {
  const inForce = new Set(ours.map(lineKey));
  const held = new Map(theirs.map((cursor) => [lineKey(cursor), cursor]));
  const stale = theirs
    .filter((cursor) => !inForce.has(lineKey(cursor)))
    .map(({ conversationId, epoch }): HubCursor => {
      return { conversationId, epoch, sent: 0, received: 0, stale: true };
    });
  const behind = ours.flatMap((cursor) => {
    const received = held.get(lineKey(cursor))?.received ?? 0;
    const { conversationId, epoch, sent } = cursor;
    return sent > received ? [{ conversationId, epoch, received }] : [];
  });
  const standing = ours.map((cursor): HubCursor => ({ ...cursor, stale: false }));
  return { conversations: [...stale, ...standing], behind };
}
