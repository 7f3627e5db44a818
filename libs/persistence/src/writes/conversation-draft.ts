import type {
  Actor,
  Card,
  CardId,
  CardRequest,
  Conversation,
  ConversationId,
  EventBody,
  HubEnvelope,
  HubMessage,
  RequestId,
  StoredEvent,
  ToolCallId,
} from '#contracts';
import {
  giveAnswer,
  isUnconfirmed,
  mayHandOut,
  movesOnBoard,
  type AuditEntry,
  type ClockReading,
  type Committed,
} from '#domain';
import {
  conversationOf,
  type ConversationRow,
  type HeadRow,
  type MessageRow,
} from './stored-rows.js';

/**
 * What must hold in the database at the moment of the write for a change of a request: `answerable` (open, before its
 * deadline), `due` (open, past it), `open`, or no matter what. {@link SETTLE} checks it.
 */
export type Guard = 'any' | 'open' | 'answerable' | 'due';

/** A request in a flush: as it is stored, as it is to be. */
export interface RequestDraft {
  /** as stored; for a new one as it opened */
  readonly before: CardRequest;
  readonly isNew: boolean;
  readonly canonical: string;
  now: CardRequest;
  guard: Guard;
}

/** A message in a flush. */
export interface MessageDraft {
  readonly row: MessageRow;
  readonly isNew: boolean;
  changed: boolean;
}

/** What a flush has read of one conversation under its lock. */
export interface LoadedConversation {
  readonly head: HeadRow;
  readonly row: ConversationRow;
  readonly isNew: boolean;
  readonly requests: RequestDraft[];
  readonly messages: MessageDraft[];
  /** messages of other conversations that have an id which a write of this one names */
  readonly elsewhere: readonly MessageRow[];
}

const STRENGTH: { [G in Guard]: number } = { any: 0, open: 1, answerable: 2, due: 2 };
/** The board's order follows the last event to the second, so that not every event moves the row in its index. */
const BOARD_RESOLUTION_MS = 1_000;

/**
 * One conversation while a flush plans its writes: takes what each write does, gives out the numbers, and tells
 * afterwards what is to be stored. Pure: no database, and the time comes in.
 */
export class ConversationDraft {
  /** the database's clock */
  readonly now: number;
  readonly head: HeadRow;
  readonly headBefore: Readonly<HeadRow>;
  readonly row: ConversationRow;
  readonly isNew: boolean;
  readonly requests: RequestDraft[];
  readonly messages: MessageDraft[];
  readonly events: StoredEvent[] = [];
  readonly outbox: HubEnvelope[] = [];
  readonly audit: AuditEntry[] = [];
  readonly superseded: RequestId[] = [];
  rowChanged = false;
  private readonly elsewhere: readonly MessageRow[];
  private readonly touched = new Set<RequestDraft>();
  private mark = { events: 0, outbox: 0, visible: false };

  constructor(
    loaded: LoadedConversation,
    readonly clock: ClockReading,
  ) {
    this.now = clock.now;
    this.head = { ...loaded.head };
    this.headBefore = loaded.head;
    this.row = { ...loaded.row };
    this.isNew = loaded.isNew;
    this.requests = loaded.requests;
    this.messages = loaded.messages;
    this.elsewhere = loaded.elsewhere;
  }

  /** The relay that the conversation is assigned to, as it stands in the log. */
  get relay(): Actor {
    return {
      principal: { kind: 'relay', relayId: this.head.relayId },
      name: this.row.relayName,
    };
  }

  /** Appends an event. */
  log(body: EventBody): void {
    this.head.lastEventN += 1;
    this.events.push({ n: this.head.lastEventN, at: this.now, body });
    if (movesOnBoard(body.kind) && this.now - this.row.lastEventAt >= BOARD_RESOLUTION_MS) {
      this.row.lastEventAt = this.now;
      this.rowChanged = true;
    }
    this.mark.visible = true;
  }

  /** Hands a message out to the relay. */
  send(message: HubMessage): void {
    this.head.sentN += 1;
    const { conversationId, epoch, sentN } = this.head;
    this.outbox.push({ conversationId, epoch, n: sentN, message });
  }

  /** Changes the conversation's row. */
  change(patch: Partial<ConversationRow>): void {
    Object.assign(this.row, patch);
    this.rowChanged = true;
    this.mark.visible = true;
  }

  requestOfCard(id: CardId): { draft: RequestDraft; card: Card } | undefined {
    for (const draft of this.requests) {
      const card = draft.now.cards.find((candidate) => candidate.id === id);
      if (card !== undefined) return { draft, card };
    }
    return undefined;
  }

  request(id: RequestId): RequestDraft | undefined {
    return this.requests.find(({ before }) => before.id === id);
  }

  /** The request that a relay means; one that was opened again after a loss has another id (link rule 10). */
  requestOfAnswer(of: {
    readonly requestId: RequestId;
    readonly toolCallId?: ToolCallId;
  }): RequestDraft | undefined {
    return (
      this.request(of.requestId) ??
      this.requests.find(({ now }) => now.toolCallId === of.toolCallId)
    );
  }

  /** The conversation that has a message with this id already. */
  holderOf(messageId: string): ConversationId | undefined {
    const rows = [...this.messages.map(({ row }) => row), ...this.elsewhere];
    return rows.find(({ id }) => id === messageId)?.conversationId;
  }

  /** The conversation as it is to be. */
  get conversation(): Conversation {
    return conversationOf(this.row, this.head);
  }

  /** Adds a request that opens. */
  open(request: CardRequest, canonical: string): RequestDraft {
    const draft: RequestDraft = {
      before: request,
      isNew: true,
      canonical,
      now: request,
      guard: 'any',
    };
    this.requests.push(draft);
    this.touched.add(draft);
    this.countCards();
    return draft;
  }

  /** Changes a request, on a condition that the database checks. */
  changeRequest(draft: RequestDraft, next: CardRequest, guard: Guard): void {
    draft.now = next;
    if (STRENGTH[guard] > STRENGTH[draft.guard]) draft.guard = guard;
    this.touched.add(draft);
    this.countCards();
  }

  /** Logs that a request has ended, and tells the agent where its outcome is on its way. */
  closed(draft: RequestDraft): void {
    const { id, outcome, cards } = draft.now;
    if (outcome === undefined) throw new Error(`request ${id} is still open`);
    this.log({ kind: 'request-closed', requestId: id, outcome, cards });
    if (draft.now.delivery === 'pending') this.send(giveAnswer(draft.now, this.row.mode));
  }

  /** Hands the next queued message out if the conversation is free for it (C17). */
  handOutNext({ personActs }: { readonly personActs: boolean }): void {
    const next = this.messages.find(({ row }) => row.status === 'queued');
    if (next === undefined || next.row.text === null || this.row.deletedAt !== null) return;
    // It may have been handed out before the database was put back: the relay is about to say so.
    if (this.head.remembersN !== null) return;
    const { turn, openCards } = this.row;
    const unconfirmedAnswers = this.requests.filter(({ now }) => isUnconfirmed(now)).length;
    if (!mayHandOut({ turn, openCards, unconfirmedAnswers, personActs })) return;
    this.send({ kind: 'send-message', messageId: next.row.id, text: next.row.text });
    next.row.status = 'handed';
    next.row.text = null;
    next.changed = true;
    this.change({ turn: 'due', failure: null });
    this.countQueue();
  }

  /** Keeps the row's count of waiting messages. */
  countQueue(): void {
    const queued = this.messages.filter(({ row }) => row.status === 'queued').length;
    if (queued !== this.row.queued) this.change({ queued });
  }

  /** Ends one write. @returns what it changed */
  commit(): Committed {
    if (this.mark.visible || this.touched.size > 0) this.head.version += 1;
    const committed: Committed = {
      conversation: this.conversation,
      personId: this.row.personId,
      deleted: this.row.deletedAt !== null,
      events: this.events.slice(this.mark.events),
      requests: [...this.touched].map(({ now }) => now),
      outbox: this.outbox.slice(this.mark.outbox),
    };
    this.mark = { events: this.events.length, outbox: this.outbox.length, visible: false };
    this.touched.clear();
    return committed;
  }

  private countCards(): void {
    const open = this.requests.filter(({ now }) => now.status === 'open').map(({ now }) => now);
    const openCards = open.reduce(
      (sum, { cards }) => sum + cards.filter(({ status }) => status === 'open').length,
      0,
    );
    const since = open.length === 0 ? null : Math.min(...open.map(({ openedAt }) => openedAt));
    if (openCards !== this.row.openCards || since !== this.row.waitingSince) {
      this.change({ openCards, waitingSince: since });
    }
  }
}
