import {
  CardId,
  ConversationId,
  DeviceId,
  MessageId,
  PersonId,
  RequestId,
  ToolCallId,
  TurnId,
  type Actor,
  type Answer,
  type Card,
  type EventBody,
  type StoredEvent,
} from '#contracts';
import { digestOf } from '../records/canonical.js';
import type { ClientEntry, RunRecords, StoredRequest } from '../records/records.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const CONVERSATION = ConversationId.parse(uuid(1));
export const DEVICE = DeviceId.parse(uuid(2));
export const OTHER_DEVICE = DeviceId.parse(uuid(3));
export const CARD = CardId.parse(uuid(4));
export const MESSAGE = MessageId.parse(uuid(6));
export const QUEUED = MessageId.parse(uuid(7));
export const CALL = ToolCallId.parse('c0-0-0');
const REQUEST = RequestId.parse(uuid(5));
const TURN = TurnId.parse(uuid(8));

export const actor = (deviceId: DeviceId): Actor => ({
  principal: { kind: 'device', deviceId, personId: PersonId.parse(uuid(9)) },
  name: 'Phone',
});
export const ANSWER: Answer = { choices: [0], text: '<the answer>' };
export const WORDS = `What about it? choice 0; ${ANSWER.text}`;
const SETTLEMENT = { outcome: 'answered', answer: ANSWER, by: actor(DEVICE), at: 500 } as const;

const card = (more: Partial<Card> = {}): Card => ({
  id: CARD,
  requestId: REQUEST,
  conversationId: CONVERSATION,
  position: 0,
  version: 1,
  body: {
    kind: 'question',
    question: 'What about it?',
    options: [{ label: 'choice 0' }],
    allowsSeveral: false,
    offersSelectSeveral: false,
    notes: [],
  },
  status: 'open',
  ...more,
});
const SETTLED = card({ version: 2, status: 'answered', settlement: SETTLEMENT });

const BODIES: readonly EventBody[] = [
  {
    kind: 'message-accepted',
    messageId: MESSAGE,
    text: 'Live c0-0.',
    by: actor(DEVICE),
    queued: false,
  },
  { kind: 'turn-started', turnId: TURN },
  { kind: 'message-picked-up', messageId: MESSAGE },
  { kind: 'text', turnId: TURN, blockId: 'one', text: 'before #1' },
  {
    kind: 'request-opened',
    request: {
      id: REQUEST,
      conversationId: CONVERSATION,
      toolCallId: CALL,
      status: 'open',
      openedAt: 0,
      deadlineAt: 1_000,
      deadlineOurs: true,
      detached: false,
      delivery: 'none',
      possibleRepeat: false,
      version: 1,
      cards: [card()],
    },
  },
  { kind: 'message-accepted', messageId: QUEUED, text: 'A note.', by: actor(DEVICE), queued: true },
  { kind: 'card-settled', card: SETTLED },
  { kind: 'request-closed', requestId: REQUEST, outcome: 'answered', cards: [SETTLED] },
  {
    kind: 'delivery-changed',
    requestId: REQUEST,
    delivery: 'delivered',
    possibleRepeat: false,
  },
  { kind: 'text', turnId: TURN, blockId: 'two', text: 'after #2' },
  { kind: 'turn-ended', turnId: TURN, outcome: 'done' },
  { kind: 'message-picked-up', messageId: QUEUED },
];
const EVENTS: readonly StoredEvent[] = BODIES.map((body, at) => ({ n: at + 1, at: 1, body }));

export const aRequest = (): StoredRequest => ({
  id: REQUEST,
  toolCallId: CALL,
  status: 'closed',
  outcome: 'answered',
  delivery: 'delivered',
  possibleRepeat: false,
  deadlineAt: 1_000,
  cards: [
    {
      id: CARD,
      version: 2,
      status: 'answered',
      answer: ANSWER,
      settledBy: actor(DEVICE),
      settledAt: 500,
    },
  ],
});

const life = { life: 'one', at: 1_000 };
export const ENTRIES: readonly ClientEntry[] = [
  { ...life, kind: 'born' },
  { ...life, kind: 'message', messageId: MESSAGE, text: 'Live c0-0.' },
  { ...life, kind: 'says', text: 'before #1' },
  { ...life, kind: 'asks', call: CALL },
  { ...life, kind: 'result', call: CALL, text: WORDS },
  { ...life, kind: 'says', text: 'after #2' },
  { ...life, kind: 'message', messageId: QUEUED, text: 'A note.' },
];

const AGENT_KINDS = ['turn-started', 'text', 'turn-ended'];

/** Everything of a run in which nothing went wrong: one question, answered by one of two devices, and a queued note. */
export function aHealthyRun(): RunRecords {
  const decision = { kind: 'answer', answer: ANSWER } as const;
  return {
    conversations: [
      {
        id: CONVERSATION,
        database: {
          lastEventN: EVENTS.length,
          sentN: 3,
          receivedN: 6,
          turn: 'done',
          outbox: 0,
          events: EVENTS,
          requests: [aRequest()],
          messages: [
            { id: MESSAGE, n: 1, status: 'picked-up' },
            { id: QUEUED, n: 2, status: 'picked-up' },
          ],
        },
        journal: {
          sent: 6,
          received: 3,
          work: 0,
          waiting: 0,
          events: BODIES.filter(({ kind }) => AGENT_KINDS.includes(kind)) as never,
        },
        client: ENTRIES,
      },
    ],
    attempts: [
      { deviceId: DEVICE, cardId: CARD, version: 1, decision, result: { kind: 'accepted' } },
      {
        deviceId: OTHER_DEVICE,
        cardId: CARD,
        version: 1,
        decision: { kind: 'skip' },
        result: { kind: 'refused', code: 'ALREADY_SETTLED', told: SETTLEMENT },
      },
    ],
    devices: [
      {
        name: 'Phone',
        malformed: [],
        conversations: [
          {
            id: CONVERSATION,
            seen: EVENTS.map((event) => ({ n: event.n, digest: digestOf(event), anew: false })),
          },
        ],
      },
    ],
    relayDeaths: [],
    stuck: [],
    leftBehind: [],
  };
}
