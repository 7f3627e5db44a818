import type {
  Actor,
  Card,
  CardBody,
  CardRequest,
  Conversation,
  ConversationId,
  CardId,
  Decision,
  Delivery,
  Duration,
  ErrorCode,
  EventBody,
  Failure,
  HubEnvelope,
  Json,
  MessageId,
  PersonId,
  ProcessState,
  ProviderId,
  RelayId,
  RelayMode,
  RequestId,
  StoredEvent,
  ToldBack,
  ToolCallId,
  TurnId,
  TurnState,
} from '#contracts';

/** A relay's message as it must fit: the right relay, the epoch in force, the next number (link rules 1, 2). */
export interface Fence {
  readonly conversationId: ConversationId;
  readonly relayId: RelayId;
  readonly epoch: number;
  readonly n: number;
}

/** What of a conversation's row a relay's message changes; absent keys stay. */
export interface ConversationPatch {
  readonly process?: ProcessState;
  readonly turn?: TurnState;
  /** `null` clears it. */
  readonly failure?: Failure | null;
  readonly sessionRef?: string;
  readonly lastLine?: string;
}

export interface NewRequest {
  readonly requestId: RequestId;
  /** One per question, in order. */
  readonly cardIds: readonly CardId[];
  readonly toolCallId: ToolCallId;
  readonly turnId?: TurnId;
  readonly questions: readonly CardBody[];
  /** The questions as one text that is the same for the same questions (C12). */
  readonly canonical: string;
  readonly waits: Duration;
  /** Whether the hub's own rule set `waits`, so that a person can extend it (C7). */
  readonly deadlineOurs: boolean;
  readonly askedBy?: string;
}

/** What one relay message does, decided by the domain and executed by the store in one transaction. */
export interface IntakeEffect {
  readonly events: readonly EventBody[];
  readonly patch: ConversationPatch;
  readonly open?: NewRequest;
  /** Closes the request if it is still open; the agent is not told, its call is gone. */
  readonly close?: { readonly toolCallId: ToolCallId; readonly outcome: 'cancelled' | 'lost' };
  /** C9: marks open requests; those not named keep their mark. */
  readonly detached?: readonly { readonly toolCallId: ToolCallId; readonly detached: boolean }[];
  /** Marks every open request of the conversation (its process went to sleep or died). */
  readonly allDetached?: boolean;
  readonly delivery?: {
    readonly requestId: RequestId;
    /** By which it is found where it has another id by now. */
    readonly toolCallId?: ToolCallId;
    readonly delivery: Exclude<Delivery, 'none' | 'pending'>;
    readonly possibleRepeat: boolean;
  };
  readonly pickedUp?: MessageId;
  readonly modeAcknowledged?: number;
  /** Link rule 10: how many numbers the message stands for, where those after its own are kept no more. */
  readonly standsFor?: number;
  /** Link rule 10: what an earlier life of the hub had said. */
  readonly toldBack?: {
    readonly said: readonly ToldBack[];
    /** With the last of it: how the conversation stands at the relay. */
    readonly now?: {
      /** Calls that still wait; other open requests are lost. */
      readonly waiting: readonly ToolCallId[];
      /** Whether a turn runs or is about to. */
      readonly atWork: boolean;
    };
  };
}

/** Who decided, kept in the audit log with the device's signature (S4). */
export interface Deed {
  readonly by: Actor;
  readonly signature?: string;
  /** S1: what the person's passkey signed, where one was needed. */
  readonly passkey?: Json;
}

export interface NewConversation {
  readonly id: ConversationId;
  readonly personId: PersonId;
  readonly relayId: RelayId;
  readonly provider: ProviderId;
  readonly engine?: string;
  readonly model?: string;
  readonly folder: string;
  readonly title: string;
  readonly mode: RelayMode;
}

/** Everything that changes a conversation. All of it goes through one batcher. */
export type Write =
  /** Inserts conversation and head (epoch 1), hands out `assign` and the first message. */
  | {
      readonly kind: 'create-conversation';
      readonly conversation: NewConversation;
      readonly firstMessage: { messageId: MessageId; text: string };
      readonly deed: Deed;
    }
  | { readonly kind: 'intake'; readonly fence: Fence; readonly effect: IntakeEffect }
  /** One compare-and-swap on id, version, open request and deadline (C6, C7, C10, C15). */
  | {
      readonly kind: 'settle-card';
      readonly conversationId: ConversationId;
      readonly cardId: CardId;
      readonly version: number;
      readonly decision: Decision;
      readonly deed: Deed;
    }
  /** Queues the message, and hands it out at once when nothing runs or waits (C17). */
  | {
      readonly kind: 'accept-message';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly text: string;
      readonly deed: Deed;
    }
  | {
      readonly kind: 'cancel-message';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly deed: Deed;
    }
  /** Interrupts the turn: open requests are cancelled, accepted answers not yet delivered superseded (C11). */
  | { readonly kind: 'stop'; readonly conversationId: ConversationId; readonly deed: Deed }
  | {
      readonly kind: 'change-mode';
      readonly conversationId: ConversationId;
      readonly mode: RelayMode;
      readonly version: number;
      readonly deed: Deed;
    }
  /** M3: takes back a leave for the rest of the conversation. */
  | {
      readonly kind: 'revoke-grant';
      readonly conversationId: ConversationId;
      readonly grantId: string;
      readonly deed: Deed;
    }
  | {
      readonly kind: 'rename';
      readonly conversationId: ConversationId;
      readonly title: string;
      readonly deed: Deed;
    }
  | {
      readonly kind: 'archive';
      readonly conversationId: ConversationId;
      readonly archived: boolean;
      readonly deed: Deed;
    }
  /** Marks it deleted, cancels what is open, hands out `forget`. Its rows are kept for the audit. */
  | { readonly kind: 'delete'; readonly conversationId: ConversationId; readonly deed: Deed }
  | {
      readonly kind: 'extend-deadline';
      readonly conversationId: ConversationId;
      readonly requestId: RequestId;
      readonly by: Duration;
      readonly deed: Deed;
    };

/** What a committed write changed, for telling devices and the relay. */
export interface Committed {
  readonly conversation: Conversation;
  readonly personId: PersonId;
  readonly deleted: boolean;
  /** In order, numbered. */
  readonly events: readonly StoredEvent[];
  /** Each changed request as it stands now. */
  readonly requests: readonly CardRequest[];
  /** Numbered messages for the conversation's relay. */
  readonly outbox: readonly HubEnvelope[];
}

export type Refusal =
  /** The card as it stands, so that the loser can be told who won, when and with what. */
  | {
      readonly code: 'ALREADY_SETTLED' | 'STALE_VERSION' | 'DEADLINE_PASSED';
      readonly card: Card;
      readonly request: CardRequest;
    }
  | { readonly code: 'STALE_EPOCH'; readonly epoch: number }
  /** Already committed: acknowledged again, nothing done. */
  | { readonly code: 'DUPLICATE'; readonly received: number }
  /** A number was skipped: the relay goes on from `received` + 1. */
  | { readonly code: 'GAP'; readonly received: number }
  /** The same message id came before: its conversation. */
  | { readonly code: 'DUPLICATE_MESSAGE'; readonly conversationId: ConversationId }
  | { readonly code: 'STALE_MODE'; readonly conversation: Conversation }
  /** PostgreSQL refused the row for good; the reason without its data. */
  | { readonly code: 'UNSTORABLE'; readonly reason: string }
  | {
      readonly code: Extract<
        ErrorCode,
        'NOT_FOUND' | 'QUEUE_FULL' | 'ALREADY_PICKED_UP' | 'INVALID'
      >;
      readonly reason: string;
    };

export type WriteResult =
  | { readonly ok: true; readonly committed: Committed }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * The one way to change a conversation. A result is durable when the promise resolves.
 * Rejects with {@link StoreUnavailable} when the database can't be reached; the caller may try again.
 */
export abstract class ConversationWrites {
  abstract write(write: Write): Promise<WriteResult>;
  /**
   * C7: sees the database's clock, to be called every few seconds. Where it ran unseen for over a minute, requests that
   * are open or fell due meanwhile get ten minutes at least; gives how many did, undefined where it did not run unseen.
   */
  abstract watchClock(): Promise<number | undefined>;
  /**
   * Closes requests whose deadline has passed, nearest first, at most `limit` (C7, C8). Rejects where one of them could
   * not be closed, after all others.
   * @param closed told of each once it is committed
   */
  abstract expireDue(
    limit: number,
    closed?: (committed: Committed) => void,
  ): Promise<readonly Committed[]>;
  /** Milliseconds until the nearest deadline of an open request; negative when it has passed, absent when none is open. */
  abstract nextDeadlineIn(): Promise<number | undefined>;
}

/** The database can't be reached or was restarted; nothing of the write was stored, or it can be repeated. */
export class StoreUnavailable extends Error {
  constructor(options?: { cause?: unknown }) {
    super('The database cannot be reached at the moment.', options);
    this.name = 'StoreUnavailable';
  }
}

/** What the audit log keeps of a deed (S4). */
export interface AuditEntry {
  readonly by: Actor;
  /** Such as `card-answered`, `device-revoked`. */
  readonly action: string;
  readonly conversationId?: ConversationId;
  readonly cardId?: CardId;
  /** What was shown and what was decided. */
  readonly body: Json;
  readonly signature?: string;
}
