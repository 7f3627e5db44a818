import {
  LIMITS,
  type BoardCursor,
  type BoardPage,
  type Card,
  type CardId,
  type CardRequest,
  type Conversation,
  type ConversationId,
  type ConversationPage,
  type EventsPage,
  type Inbox,
  type PersonId,
  type RelayId,
  type RequestId,
  type StoredEvent,
} from '#contracts';
import { ConversationReads, type BoardFilter } from '#domain';
import type pg from 'pg';
import {
  conversationOf,
  requestOf,
  type ConversationRow,
  type HeadRow,
  type MessageRow,
  type RequestRow,
} from '../writes/stored-rows.js';
import { newestBlocks } from './newest-blocks.js';
import {
  BOARD,
  BOARD_TOTAL,
  CARD,
  CONVERSATION,
  EVENTS_AFTER,
  EVENTS_BEFORE,
  INBOX,
  NOW,
  QUEUE,
  RECENT_FOLDERS,
  REQUEST,
  REQUESTS_OF_CONVERSATION,
  WAITING,
} from './queries.js';

type ConversationWithHead = ConversationRow & Pick<HeadRow, 'lastEventN' | 'version' | 'month'>;
type InboxRow = RequestRow & {
  readonly conversation: Pick<
    ConversationRow,
    'title' | 'provider' | 'relayId' | 'folder' | 'mode' | 'modeVersion' | 'modeAcknowledged'
  >;
};

/** How many folders back `recentFolders` looks. */
const CONVERSATIONS_WITH_FOLDERS = 200;

/** What devices read, straight from the rows. Each statement is prepared once a connection. */
export class PgConversationReads extends ConversationReads {
  constructor(private readonly pool: pg.Pool) {
    super();
  }

  async inbox(personId: PersonId): Promise<Inbox> {
    const [entries, now] = await Promise.all([
      this.ask<InboxRow>('inbox', INBOX, [personId]),
      this.now(),
    ]);
    return { entries: entries.map(inboxEntry), now };
  }

  async board(filter: BoardFilter): Promise<BoardPage> {
    const { personId, archived, limit } = filter;
    const pattern = filter.search === undefined ? null : likePattern(filter.search);
    const after = [
      filter.after === undefined ? null : filter.after.lastEventAt,
      filter.after?.id ?? null,
    ];
    const name = archived ? 'archive' : 'board';
    const [rows, total] = await Promise.all([
      this.ask<ConversationWithHead>(name, BOARD[name], [personId, ...after, pattern, limit + 1]),
      this.ask<{ total: number }>(`${name}-total`, BOARD_TOTAL[name], [personId, pattern]),
    ]);
    const page = rows.slice(0, limit).map((row) => conversationOf(row, row));
    const last = page.at(-1);
    const more = rows.length > limit && last !== undefined;
    return {
      conversations: page,
      ...(more ? { next: cursorOf(last) } : {}),
      total: total[0]?.total ?? 0,
    };
  }

  async conversation(
    id: ConversationId,
  ): Promise<{ conversation: Conversation; personId: PersonId } | undefined> {
    const row = await this.row(id);
    return row && { conversation: conversationOf(row, row), personId: row.personId };
  }

  async open(
    id: ConversationId,
    after: number,
  ): Promise<{ page: ConversationPage; replay: boolean } | undefined> {
    const row = await this.row(id);
    if (row === undefined) return undefined;
    const behind = row.lastEventN - after;
    const replay = after > 0 && behind >= 0 && behind <= LIMITS.replayEvents;
    const [run, queue, requests, now] = await Promise.all([
      replay ? this.eventsAfter(row, after) : this.newest(row),
      this.ask<MessageRow>('queue', QUEUE, [id]),
      this.ask<RequestRow>('requests-of-conversation', REQUESTS_OF_CONVERSATION, [id]),
      this.now(),
    ]);
    const page: ConversationPage = {
      conversation: conversationOf(row, row),
      ...run,
      queue: queue.map(({ n, id: messageId, text, at }) => ({
        n,
        messageId,
        text: text ?? '',
        at,
      })),
      requests: requests.map(requestOf),
      now,
    };
    return { page, replay };
  }

  async eventsBefore(id: ConversationId, before: number, limit: number): Promise<EventsPage> {
    const row = await this.row(id);
    if (row === undefined) return { events: [], more: false };
    return this.pageBefore(row, before, limit);
  }

  async card(
    id: CardId,
  ): Promise<{ card: Card; request: CardRequest; personId: PersonId } | undefined> {
    const [row] = await this.ask<RequestRow>('card', CARD, [id]);
    if (row === undefined) return undefined;
    const request = requestOf(row);
    const card = request.cards.find((candidate) => candidate.id === id);
    return card && { card, request, personId: row.personId };
  }

  async request(id: RequestId): Promise<{ request: CardRequest; personId: PersonId } | undefined> {
    const [row] = await this.ask<RequestRow>('request', REQUEST, [id]);
    return row && { request: requestOf(row), personId: row.personId };
  }

  async recentFolders(
    personId: PersonId,
    relayId: RelayId,
    limit: number,
  ): Promise<readonly string[]> {
    const rows = await this.ask<{ folder: string }>('recent-folders', RECENT_FOLDERS, [
      personId,
      relayId,
      CONVERSATIONS_WITH_FOLDERS,
    ]);
    return [...new Set(rows.map(({ folder }) => folder))].slice(0, limit);
  }

  async waiting(): ReturnType<ConversationReads['waiting']> {
    const [row] = await this.ask<Awaited<ReturnType<ConversationReads['waiting']>>>(
      'waiting',
      WAITING,
      [],
    );
    if (row === undefined) throw new Error('the database did not tell what waits');
    return row;
  }

  async now(): Promise<number> {
    const [row] = await this.ask<{ now: number }>('now', NOW, []);
    if (row === undefined) throw new Error('the database did not tell the time');
    return row.now;
  }

  private async row(id: ConversationId): Promise<ConversationWithHead | undefined> {
    const [row] = await this.ask<ConversationWithHead>('conversation', CONVERSATION, [id]);
    return row;
  }

  private async eventsAfter(
    row: ConversationWithHead,
    after: number,
  ): Promise<{ events: StoredEvent[]; more: boolean }> {
    const events = await this.ask<StoredEvent>('events-after', EVENTS_AFTER, [
      row.month,
      row.id,
      after,
      LIMITS.replayEvents,
    ]);
    return { events, more: after > 0 };
  }

  private async newest(
    row: ConversationWithHead,
  ): Promise<{ events: StoredEvent[]; more: boolean }> {
    const page = await this.pageBefore(row, row.lastEventN + 1, LIMITS.replayEvents);
    const events = newestBlocks(page.events, LIMITS.replayBlocks);
    return { events, more: page.more || events.length < page.events.length };
  }

  private async pageBefore(
    row: ConversationWithHead,
    before: number,
    limit: number,
  ): Promise<{ events: StoredEvent[]; more: boolean }> {
    const found = await this.ask<StoredEvent>('events-before', EVENTS_BEFORE, [
      row.month,
      row.id,
      before,
      limit,
    ]);
    const events = found.reverse();
    return { events, more: (events[0]?.n ?? 1) > 1 };
  }

  private async ask<Row>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const { rows } = await this.pool.query({ name, text, values });
    return rows as Row[];
  }
}

function inboxEntry({ conversation, ...request }: InboxRow): Inbox['entries'][number] {
  const { title, provider, relayId, folder, mode, modeVersion, modeAcknowledged } = conversation;
  return {
    request: requestOf(request),
    conversation: {
      id: request.conversationId,
      title,
      provider,
      relayId,
      mode: { mode, version: modeVersion, acknowledgedVersion: modeAcknowledged },
      folder,
    },
  };
}

function cursorOf({ lastEventAt, id }: Conversation): BoardCursor {
  return { lastEventAt, id };
}

/** A text to be found anywhere, with LIKE's own signs taken literally. */
function likePattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
