import type {
  BoardCursor,
  BoardPage,
  Card,
  CardId,
  CardRequest,
  Conversation,
  ConversationId,
  ConversationPage,
  EventsPage,
  HubEnvelope,
  Inbox,
  PersonId,
  RelayId,
  RequestId,
} from '#contracts';

export interface BoardFilter {
  readonly personId: PersonId;
  /** Matched in title, folder and last line, without regard to case. */
  readonly search?: string;
  readonly archived: boolean;
  readonly after?: BoardCursor;
  readonly limit: number;
}

/** What devices read. Each query rests on an index. */
export abstract class ConversationReads {
  abstract inbox(personId: PersonId): Promise<Inbox>;
  abstract board(filter: BoardFilter): Promise<BoardPage>;
  abstract conversation(
    id: ConversationId,
  ): Promise<{ conversation: Conversation; personId: PersonId } | undefined>;
  /**
   * The conversation with the events after `after`, or with its newest blocks when `after` is 0 or more than
   * 500 events behind; `replay` tells which.
   */
  abstract open(
    id: ConversationId,
    after: number,
  ): Promise<{ page: ConversationPage; replay: boolean } | undefined>;
  abstract eventsBefore(id: ConversationId, before: number, limit: number): Promise<EventsPage>;
  abstract card(
    id: CardId,
  ): Promise<{ card: Card; request: CardRequest; personId: PersonId } | undefined>;
  abstract request(
    id: RequestId,
  ): Promise<{ request: CardRequest; personId: PersonId } | undefined>;
  /** Folders of the newest conversations on a relay, each once, newest first. */
  abstract recentFolders(
    personId: PersonId,
    relayId: RelayId,
    limit: number,
  ): Promise<readonly string[]>;
  /** What waits at this moment, over everybody: the oldest open request's age is 0 where there is none. */
  abstract waiting(): Promise<{
    readonly open: number;
    readonly oldestMs: number;
    /** closed requests whose agent has not confirmed the answer */
    readonly unconfirmed: number;
    /** messages that a relay has not taken */
    readonly outbox: number;
  }>;
  /** The database's clock. */
  abstract now(): Promise<number>;
}

export interface LinkCursor {
  readonly conversationId: ConversationId;
  readonly epoch: number;
  /** Number of the last message handed out to the relay. */
  readonly sent: number;
  /** Number of the last message committed of the relay's. */
  readonly received: number;
  /** Link rule 10: what the hub said after this number is to be told back; null where there is nothing. */
  readonly remembers: number | null;
  /** The first of the messages to the relay that it can still be given; the next one where it has them all. */
  readonly firstKept: number;
}

/** The hub's end of the link's numbering. */
export abstract class LinkStore {
  /** Those of the named conversations that are assigned to this relay, and all that have something to hand out. */
  abstract cursors(
    relayId: RelayId,
    conversationIds: readonly ConversationId[],
  ): Promise<readonly LinkCursor[]>;
  /** What the relay has not acknowledged of an assignment, in order, from `after` + 1 on; nothing where it is over. */
  abstract outbox(
    assignment: Pick<HubEnvelope, 'conversationId' | 'epoch'>,
    after: number,
    limit: number,
  ): Promise<readonly HubEnvelope[]>;
  /** Forgets what the relay has fsynced. */
  abstract acknowledged(
    relayId: RelayId,
    upTo: readonly { conversationId: ConversationId; epoch: number; n: number }[],
  ): Promise<void>;
}
