import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  ConversationId,
  ProviderId,
  RelayId,
  type HubCursor,
  type RelayCursor,
  type RelayPlaces,
} from '#contracts';
import { comparePlaces, pagesOf } from './compare-places.js';
import type { HubSocket } from './hub-socket.js';

const cursors = (count: number): RelayCursor[] =>
  Array.from({ length: count }, () => ({
    ...{ conversationId: ConversationId.parse(randomUUID()), epoch: 1, sent: 5, received: 5 },
    acked: 5,
  }));
const known = ({ conversationId }: RelayCursor): HubCursor => ({
  ...{ conversationId, epoch: 1, sent: 5, received: 5, stale: false },
});
const session = {
  provider: ProviderId.parse('puppet'),
  ...{ folder: '/tmp', mode: 'autopilot' as const, modeVersion: 1 },
};

/** A hub that knows every conversation but these; what it is asked stands in `asked`. */
function hubWithout(unknown: readonly RelayCursor[]): { socket: HubSocket; asked: RelayPlaces[] } {
  const lost = new Set(unknown.map(({ conversationId }) => conversationId));
  const asked: RelayPlaces[] = [];
  const emitWithAck = (_event: string, page: RelayPlaces): Promise<unknown> => {
    asked.push(page);
    const conversations = page.conversations.map((cursor) => {
      const isLost = lost.has(cursor.conversationId) && cursor.session === undefined;
      return isLost ? { ...known(cursor), unknown: true } : known(cursor);
    });
    return Promise.resolve({ conversations });
  };
  return { socket: { timeout: () => ({ emitWithAck }) } as unknown as HubSocket, asked };
}

const compare = (socket: HubSocket, [first = [], ...more]: RelayCursor[][]): Promise<HubCursor[]> =>
  comparePlaces({
    socket,
    more,
    first: { relayId: RelayId.parse(randomUUID()), conversations: first.map(known) },
    conversations: {
      described: (unknown) =>
        unknown.map(({ conversationId }) => ({
          ...{ conversationId, epoch: 1, sent: 5, received: 5, session },
        })),
    },
  });

describe('the places of many conversations', () => {
  it('[link.10] are told a page at a time, to the last one', async () => {
    const all = cursors(25);
    const { socket, asked } = hubWithout([]);
    const answers = await compare(socket, pagesOf(all, 10));
    const sizes = asked.map(({ conversations, more }) => [conversations.length, more]);
    expect(sizes).toEqual([
      [10, true],
      [5, false],
    ]);
    expect(answers.map(({ conversationId }) => conversationId)).toEqual(
      all.map(({ conversationId }) => conversationId),
    );
  });

  it('[link.10] are told once more with what runs there, where the hub has no such conversation', async () => {
    const all = cursors(12);
    const lost = all.slice(10);
    const { socket, asked } = hubWithout(lost);
    const answers = await compare(socket, pagesOf(all, 10));
    expect(asked.at(-1)).toMatchObject({ more: false, conversations: [{ session }, { session }] });
    const again = answers.filter(({ unknown }) => unknown !== true);
    expect(again.map(({ conversationId }) => conversationId)).toEqual(
      all.map(({ conversationId }) => conversationId),
    );
  });
});
