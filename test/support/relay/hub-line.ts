import type { ConversationId, HubCursor, HubEnvelope, RelayAttach, RelayMessage } from '#contracts';
import type { HubSight } from './hub-sight.js';

/** What a small hub keeps of one conversation. */
export interface Line {
  epoch: number;
  readonly sight: HubSight;
  readonly received: RelayMessage[];
  sent: number;
  outbox: HubEnvelope[];
}

/** How far each conversation has come, and which are not the relay's any more. */
export function cursorsOf(
  attach: RelayAttach,
  lines: ReadonlyMap<ConversationId, Line>,
  taken: ReadonlySet<ConversationId>,
): HubCursor[] {
  const theirs = attach.conversations.map(({ conversationId, epoch }): HubCursor => {
    const line = lines.get(conversationId);
    const stale = line?.epoch !== epoch || taken.has(conversationId);
    return { conversationId, epoch, ...placesOf(line), stale };
  });
  const named = new Set(theirs.map(({ conversationId }) => conversationId));
  const others = [...lines]
    .filter(([id, line]) => !named.has(id) && line.outbox.length > 0)
    .map(([conversationId, line]): HubCursor => {
      return { conversationId, epoch: line.epoch, ...placesOf(line), stale: false };
    });
  return [...theirs, ...others];
}

function placesOf(line: Line | undefined): Pick<HubCursor, 'sent' | 'received' | 'firstKept'> {
  if (line === undefined) return { sent: 0, received: 0 };
  const { sent, received, outbox } = line;
  return { sent, received: received.length, firstKept: outbox[0]?.n ?? sent + 1 };
}
