import type {
  AgentEvent,
  ConversationId,
  HubMessage,
  RelayMessage,
  RelayMessageOf,
} from '#contracts';
import { waitsForPerson } from '../conversations/failure.js';
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
  const apply = RECORDS[record.r] as (to: ConversationState, of: JournalRecord) => void;
  apply(state, record);
}

type RecordOf<R extends JournalRecord['r']> = Extract<JournalRecord, { r: R }>;

const RECORDS: {
  [R in JournalRecord['r']]: (to: ConversationState, record: RecordOf<R>) => void;
} = {
  begin: (to, { state }) => {
    Object.assign(to, state);
  },
  out: (to, { n, message }) => {
    to.sent = Math.max(to.sent, n);
    applyOutgoing(to, message);
  },
  in: (to, { n, message }) => {
    if (takesIncoming(to, n)) applyIncoming(to, n, message);
  },
  skip: (to, { n }) => reach(to, n),
  'damage-told': (to) => {
    delete to.damaged;
    // Which of these calls the hub knows is not sure. One that is asked again it recognises (C12).
    if (to.process !== 'live') to.waiting = [];
  },
  acked: (to, { n }) => {
    // A hub that has more than was kept here (power was cut before the disk had it) is believed.
    to.sent = Math.max(to.sent, n);
    to.acked = Math.max(to.acked, n);
    to.buried = to.buried.filter((buried) => buried.n > to.acked);
  },
  rewind: (to, { n }) => {
    to.acked = Math.min(to.acked, n);
  },
  bury: (to, { n, message }) => {
    to.buried.push({ n, message });
  },
  attempt: (to, { n, attempt }) => {
    for (const work of to.work) if (work.n === n) work.attempt = attempt;
  },
  drop: (to, { n }) => {
    to.work = to.work.filter((work) => work.n !== n);
  },
  'stop-settled': (to, { n }) => {
    if (to.stopped !== undefined && to.stopped.n <= n) delete to.stopped;
  },
};

/** Whether a message of the hub's is new; one behind a gap that damage left is, and what is in the gap may follow. */
function takesIncoming(to: ConversationState, n: number): boolean {
  if (n <= to.received || to.ahead?.includes(n) === true) return false;
  if (n === to.received + 1) reach(to, n);
  else to.ahead = [...(to.ahead ?? []), n];
  return true;
}

/** All of the hub's messages up to `n` are there, or will never be; those ahead that follow on it count as well. */
function reach(state: ConversationState, n: number): void {
  const to = state;
  to.received = Math.max(to.received, n);
  if (to.ahead === undefined) return;
  while (to.ahead.includes(to.received + 1)) to.received += 1;
  to.ahead = to.ahead.filter((ahead) => ahead > to.received);
  if (to.ahead.length === 0) delete to.ahead;
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
  'told-back': nothing,
  tombstone: nothing,
};

function applyOutgoing<K extends RelayMessage['kind']>(
  to: ConversationState,
  message: RelayMessageOf<K>,
): void {
  OUTGOING[message.kind as K](to, message);
}

function applyEvent(state: ConversationState, event: AgentEvent): void {
  const to = state;
  if (event.kind === 'turn-started') to.turnId = event.turnId;
  if (event.kind === 'turn-ended' && to.turnId === event.turnId) delete to.turnId;
  if (event.kind === 'turn-started' || event.kind === 'turn-ended') delete to.owesTurn;
  if (event.kind !== 'turn-ended' || event.failure === undefined) return;
  if (waitsForPerson(event.failure)) to.waitsForPerson = true;
}

type Incoming = HubMessage | UnreadableMessage;

function applyIncoming(to: ConversationState, n: number, message: Incoming): void {
  const apply = INCOMING[message.kind] as (
    to: ConversationState,
    message: Incoming,
    n: number,
  ) => void;
  apply(to, message, n);
}

/** What each of the hub's messages says of the state. */
const INCOMING: {
  [K in Incoming['kind']]: (
    to: ConversationState,
    message: Extract<Incoming, { kind: K }>,
    n: number,
  ) => void;
} = {
  assign: (to, { session }) => {
    to.spec = session;
    to.modeToAcknowledge = session.modeVersion;
  },
  'send-message': (to, { messageId, text }, n) => {
    to.work.push({ kind: 'message', n, messageId, text });
    to.owesTurn = true;
    delete to.waitsForPerson;
  },
  'give-answer': (to, give, n) => {
    to.waiting = to.waiting.filter((call) => call !== give.toolCallId);
    to.work.push({ kind: 'answer', n, give });
    delete to.waitsForPerson;
  },
  'try-again': (to) => {
    to.owesTurn = true;
    delete to.waitsForPerson;
  },
  'set-mode': (to, { mode, modeVersion }) => {
    if (to.spec !== undefined) to.spec = { ...to.spec, mode, modeVersion };
    to.modeToAcknowledge = modeVersion;
  },
  interrupt: (to, _, n) => {
    to.stopped = { n, calls: [...to.waiting] };
    for (const work of to.work) if (work.kind === 'message') work.stopped = true;
  },
  unreadable: (to, { of }) => {
    if (of === 'send-message') to.owesTurn = true;
  },
  forget: nothing,
};
