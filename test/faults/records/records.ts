import type {
  Actor,
  Answer,
  CardId,
  CardOutcome,
  CardStatus,
  ConversationId,
  Decision,
  Delivery,
  DeviceId,
  MessageId,
  RequestId,
  Settlement,
  StoredEvent,
  AgentEvent,
} from '#contracts';

/** All that a run has left behind for the oracle: it reads nothing else. */
export interface RunRecords {
  readonly conversations: readonly ConversationRecords[];
  readonly attempts: readonly Attempt[];
  readonly devices: readonly SeenByDevice[];
  /** When a relay was killed, in milliseconds since 1970 by the harness's clock. */
  readonly relayDeaths: readonly number[];
  /** Lives that did not come to an end, in words. */
  readonly stuck: readonly string[];
  /** Processes that were there after the product had stopped, in words. */
  readonly leftBehind: readonly string[];
}

/** One conversation as each of those who keep a record of it has it. */
export interface ConversationRecords {
  readonly id: ConversationId;
  readonly database: StoredConversation;
  /** Absent where the relay has none. */
  readonly journal: JournalRecords | undefined;
  readonly client: readonly ClientEntry[];
}

/** The hub's rows. */
export interface StoredConversation {
  readonly lastEventN: number;
  readonly sentN: number;
  readonly receivedN: number;
  readonly turn: string;
  /** Messages to the relay that it has not acknowledged. */
  readonly outbox: number;
  readonly events: readonly StoredEvent[];
  readonly requests: readonly StoredRequest[];
  readonly messages: readonly StoredMessage[];
}

export interface StoredRequest {
  readonly id: RequestId;
  readonly toolCallId: string;
  readonly status: 'open' | 'closed';
  readonly outcome: CardOutcome | null;
  readonly delivery: Delivery;
  readonly possibleRepeat: boolean;
  readonly deadlineAt: number;
  readonly cards: readonly StoredCard[];
}

export interface StoredCard {
  readonly id: CardId;
  readonly version: number;
  readonly status: CardStatus;
  readonly answer: Answer | null;
  readonly settledBy: Actor | null;
  readonly settledAt: number | null;
}

export interface StoredMessage {
  readonly id: MessageId;
  readonly n: number;
  readonly status: 'queued' | 'handed' | 'picked-up' | 'cancelled';
}

/** The relay's own record: numbers of both directions, and every event of an agent's that it was told. */
export interface JournalRecords {
  readonly sent: number;
  readonly received: number;
  /** Work that the relay still means to do. */
  readonly work: number;
  readonly waiting: number;
  readonly events: readonly AgentEvent[];
}

/** A line of a client's own record, in the order in which it was written. */
export type ClientEntry = {
  /** Which process of the client's wrote it. */
  readonly life: string;
  /** Milliseconds since 1970. */
  readonly at: number;
} & (
  | { readonly kind: 'born' }
  | { readonly kind: 'message'; readonly messageId: string; readonly text: string }
  | { readonly kind: 'result'; readonly call: string; readonly text: string }
  | { readonly kind: 'asks'; readonly call: string }
  | { readonly kind: 'withdrew'; readonly call: string }
  | { readonly kind: 'says'; readonly text: string }
  | { readonly kind: 'life'; readonly id: string }
  /** Ended because it was asked to. */
  | { readonly kind: 'closed' }
);

/** A device's decision on a card, as it was sent and as the hub answered; sent again and again while it does not. */
export interface Attempt {
  readonly deviceId: DeviceId;
  readonly cardId: CardId;
  readonly version: number;
  readonly decision: Decision;
  /** `refused` carries the hub's reason and the settlement that it rests on. */
  readonly result:
    | { readonly kind: 'accepted' }
    | { readonly kind: 'refused'; readonly code: string; readonly told: Settlement | undefined }
    | { readonly kind: 'unknown' };
}

/** What one device was shown of the conversations that it had open. */
export interface SeenByDevice {
  readonly name: string;
  readonly conversations: readonly {
    readonly id: ConversationId;
    /** In the order of their coming; a snapshot begins anew. */
    readonly seen: readonly SeenEvent[];
  }[];
  /** What came that the contracts do not allow. */
  readonly malformed: readonly string[];
}

export interface SeenEvent {
  readonly n: number;
  readonly digest: string;
  /** Whether the hub said that what was held before is to be dropped. */
  readonly anew: boolean;
}
