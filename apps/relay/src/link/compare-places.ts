import { z } from 'zod';
import { HubPlaces, type Attached, type HubCursor, type RelayCursor } from '#contracts';
import type { Conversations } from '../conversations/conversations.js';
import { HandshakeRefused } from './handshake.js';
import type { HubSocket } from './hub-socket.js';

/** How long the hub may take for a page. */
const ANSWER_MS = 15_000;
/** A folder's name can be 4 KB long: so many descriptions fit a frame whatever they say. */
const DESCRIBED_PAGE = 40;

/**
 * Goes on with an attach: the rest of this relay's places, then what the hub does not know any more. Nothing is sent
 * before the hub has all of them. Resolves with where the hub is in each.
 */
export async function comparePlaces(of: {
  readonly socket: HubSocket;
  readonly conversations: Pick<Conversations, 'described'>;
  readonly first: Attached;
  readonly more: readonly RelayCursor[][];
}): Promise<HubCursor[]> {
  const { socket, conversations, first, more } = of;
  const cursors = [...first.conversations];
  for (const [at, page] of more.entries()) {
    cursors.push(...(await ask(socket, { conversations: page, more: at < more.length - 1 })));
  }
  const unknown = cursors.filter((cursor) => cursor.unknown === true);
  if (unknown.length === 0) return cursors;
  const described = pagesOf(conversations.described(unknown), DESCRIBED_PAGE);
  for (const [at, page] of described.entries()) {
    cursors.push(...(await ask(socket, { conversations: page, more: at < described.length - 1 })));
  }
  return cursors;
}

async function ask(
  socket: HubSocket,
  page: { conversations: RelayCursor[]; more: boolean },
): Promise<HubCursor[]> {
  const said: unknown = await socket.timeout(ANSWER_MS).emitWithAck('places', page);
  const answer = HubPlaces.safeParse(said);
  if (answer.success) return answer.data.conversations;
  const problem = z.prettifyError(answer.error).slice(0, 500);
  throw new HandshakeRefused(
    'PROTOCOL',
    `The hub answered in a form that this relay does not know: ${problem}`,
  );
}

/** At least one page, which may be empty. */
export function pagesOf<T>(all: readonly T[], size: number): T[][] {
  const pages: T[][] = [];
  for (let at = 0; at < all.length; at += size) pages.push(all.slice(at, at + size));
  return pages.length === 0 ? [[]] : pages;
}
