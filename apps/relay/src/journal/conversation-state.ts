import type {
  AgentEvent,
  ConversationId,
  GiveAnswer,
  HubMessage,
  MessageId,
  ProcessState,
  RelayMessage,
  RelayMessageOf,
  SessionSpec,
  ToolCallId,
  TurnId,
} from '#contracts';
import type { Attempt, JournalRecord, UnreadableMessage } from './journal-record.js';

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
  /** Calls in which the agent asked and no result has come for yet. */
  waiting: ToolCallId[];
  /** In the order of their coming. */
  work: Work[];
  /** The last stop: what came before it and has not reached the agent does not any more. */
  interruptedAt?: number;
  /** A version of the mode that has not been acknowledged yet. */
  modeToAcknowledge?: number;
  /** Tombstones of messages that the hub does not have yet. */
  buried: { readonly n: number; readonly message: RelayMessageOf<'tombstone'> }[];
}

export function newConversationState(of: {
  conversationId: ConversationId;
  epoch: number;
}): ConversationState {
  return {
    ...of,
    process: 'none',
    sent: 0,
    acked: 0,
    received: 0,
    waiting: [],
    work: [],
    buried: [],
  };
}

/** Takes one record into the state. The same records give the same state, in one life or over many. */
export function applyRecord(state: ConversationState, record: JournalRecord): void {
  const to = state;
  switch (record.r) {
    case 'begin':
      Object.assign(to, record.state);
      return;
    case 'out':
      to.sent = Math.max(to.sent, record.n);
      applyOutgoing(to, record.message);
      return;
    case 'in':
      to.received = Math.max(to.received, record.n);
      applyIncoming(to, record.n, record.message);
      return;
    case 'acked':
      // A hub that has more than was kept here (power was cut before the disk had it) is believed.
      to.sent = Math.max(to.sent, record.n);
      to.acked = Math.max(to.acked, record.n);
      to.buried = to.buried.filter(({ n }) => n > to.acked);
      return;
    case 'bury':
      to.buried.push({ n: record.n, message: record.message });
      return;
    case 'attempt':
      for (const work of to.work) if (work.n === record.n) work.attempt = record.attempt;
      return;
    case 'drop':
      to.work = to.work.filter(({ n }) => n !== record.n);
      return;
  }
}

const nothing = (): void => undefined;

/** What each of the relay's own messages says of the state. */
const OUTGOING: {
  [K in RelayMessage['kind']]: (to: ConversationState, message: RelayMessageOf<K>) => void;
} = {
  'agent-events': (to, { events }) => events.forEach((event) => applyEvent(to, event)),
  ask: (to, { toolCallId }) => {
    if (!to.waiting.includes(toolCallId)) to.waiting.push(toolCallId);
  },
  'request-ended': (to, { toolCallId }) => {
    to.waiting = to.waiting.filter((call) => call !== toolCallId);
  },
  process: (to, { state }) => {
    to.process = state;
  },
  'session-started': (to, { sessionRef }) => {
    to.sessionRef = sessionRef;
  },
  'message-picked-up': (to, { messageId }) => {
    to.work = to.work.filter((work) => work.kind !== 'message' || work.messageId !== messageId);
  },
  'answer-progress': (to, { requestId, delivery }) => {
    if (delivery === 'handed') return;
    to.work = to.work.filter((work) => work.kind !== 'answer' || work.give.requestId !== requestId);
  },
  'mode-acknowledged': (to, { version }) => {
    if (to.modeToAcknowledge === version) delete to.modeToAcknowledge;
  },
  snapshot: nothing,
  tombstone: nothing,
};

function applyOutgoing<K extends RelayMessage['kind']>(
  to: ConversationState,
  message: RelayMessageOf<K>,
): void {
  OUTGOING[message.kind as K](to, message);
}

function applyEvent(to: ConversationState, event: AgentEvent): void {
  if (event.kind === 'turn-started') to.turnId = event.turnId;
  if (event.kind === 'turn-ended' && to.turnId === event.turnId) delete to.turnId;
}

function applyIncoming(
  to: ConversationState,
  n: number,
  message: HubMessage | UnreadableMessage,
): void {
  switch (message.kind) {
    case 'assign':
      to.spec = message.session;
      return;
    case 'send-message':
      to.work.push({ kind: 'message', n, messageId: message.messageId, text: message.text });
      return;
    case 'give-answer':
      to.waiting = to.waiting.filter((call) => call !== message.toolCallId);
      to.work.push({ kind: 'answer', n, give: message });
      return;
    case 'set-mode':
      if (to.spec !== undefined) {
        to.spec = { ...to.spec, mode: message.mode, modeVersion: message.modeVersion };
      }
      to.modeToAcknowledge = message.modeVersion;
      return;
    case 'interrupt':
      to.interruptedAt = n;
      return;
    case 'forget':
    case 'unreadable':
      return;
  }
}
