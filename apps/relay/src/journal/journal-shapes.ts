import type {
  ConversationId,
  GiveAnswer,
  HubMessage,
  MessageId,
  ProcessState,
  RelayMessage,
  RelayMessageOf,
  RequestId,
  SessionSpec,
  ToolCallId,
  TurnId,
} from '#contracts';

/** Which way a result or a message is handed to a client; fsynced before it is (link rule 4). */
export interface Attempt {
  /** `tool`: as the result of the call that waits. `message`: as the next message to the agent. */
  readonly way: 'tool' | 'message';
  /** Marked to the agent as something that it may have been told before (C11). */
  readonly possibleRepeat: boolean;
}

/** A message of the hub's with a number in place, whose body this relay could not read. */
export interface UnreadableMessage {
  readonly kind: 'unreadable';
  /** Its kind and the request that it is about, where so much of it could be read. */
  readonly of?: string;
  readonly requestId?: RequestId;
  readonly problem: string;
}

/** One line of a journal. Short names, because every streamed block is one. */
export type JournalRecord =
  /** First of every segment: all that came before, so that older segments need not be read again. */
  | { readonly r: 'begin'; readonly state: ConversationState }
  | { readonly r: 'out'; readonly n: number; readonly message: RelayMessage }
  | { readonly r: 'in'; readonly n: number; readonly message: HubMessage | UnreadableMessage }
  /** The hub has committed everything up to `n`. */
  | { readonly r: 'acked'; readonly n: number }
  /** The hub's database was put back: it has no more than up to `n`. */
  | { readonly r: 'rewind'; readonly n: number }
  /** The hub refused `n` for good: this stands in its place (link rule 6). */
  | { readonly r: 'bury'; readonly n: number; readonly message: RelayMessageOf<'tombstone'> }
  | { readonly r: 'attempt'; readonly n: number; readonly attempt: Attempt }
  /** The hub's messages up to `n` are nowhere any more. */
  | { readonly r: 'skip'; readonly n: number }
  /** A person has been told of the damage. */
  | { readonly r: 'damage-told' }
  /** The work of the hub's message `n` is given up; a notice says why. */
  | { readonly r: 'drop'; readonly n: number }
  /** Everything that the hub's stop `n` ends has been ended. */
  | { readonly r: 'stop-settled'; readonly n: number };

/** Something of the hub's that has to reach the agent, until there is evidence that it did. */
export type Work =
  | {
      readonly kind: 'answer';
      /** Number of the hub's message that brought it. */
      readonly n: number;
      readonly give: GiveAnswer;
      /** The last way that was tried, in this life of the relay or an earlier one. */
      attempt?: Attempt;
    }
  | {
      readonly kind: 'message';
      readonly n: number;
      readonly messageId: MessageId;
      readonly text: string;
      attempt?: Attempt;
      /** A stop came after it: where the client does not have it yet, it does not get it any more. */
      stopped?: true;
    };
export type AnswerWork = Extract<Work, { kind: 'answer' }>;
export type MessageWork = Extract<Work, { kind: 'message' }>;

/** What a relay knows of one conversation: the fold of its journal and nothing else. */
export interface ConversationState {
  readonly conversationId: ConversationId;
  readonly epoch: number;
  /** Absent only where a journal was lost and the hub goes on as if it were there. */
  spec?: SessionSpec;
  sessionRef?: string;
  process: ProcessState;
  /** The turn that runs, if one does. */
  turnId?: TurnId;
  /** Numbers: the last of its own, the last of its own that the hub has, the last of the hub's. */
  sent: number;
  acked: number;
  received: number;
  /** Messages of the hub's beyond `received` that are there, where damage took some in between. */
  ahead?: number[];
  /** Something of the journal was found damaged, and nobody has been told yet. */
  damaged?: true;
  /** Calls in which the agent asked and no result has come for yet. */
  waiting: ToolCallId[];
  /** In the order of their coming. */
  work: Work[];
  /** The hub counts on a turn: it sent a message, and no turn has begun or ended since. */
  owesTurn?: true;
  /**
   * A stop that has not been carried out yet: answers that came before it are superseded, and the calls that waited
   * then wait for nothing. What is asked later is another turn's.
   */
  stopped?: { readonly n: number; readonly calls: readonly ToolCallId[] };
  /** A version of the mode that has not been acknowledged yet. */
  modeToAcknowledge?: number;
  /** Set while what could not be handed over waits until the person says that it is to be tried again. */
  waitsForPerson?: boolean;
  /** Tombstones of messages that the hub does not have yet. */
  buried: { readonly n: number; readonly message: RelayMessageOf<'tombstone'> }[];
}
