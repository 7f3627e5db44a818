import type {
  AgentEvent,
  ConversationId,
  HubMessage,
  RelayMessage,
  RelayMessageOf,
} from '#contracts';
import type { ConversationState, JournalRecord, UnreadableMessage } from './journal-shapes.js';

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
