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
  type CardRequest,
  type Delta,
  type EventBody,
  type EventBodyOf,
  type StoredEvent,
} from '#contracts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** The turn that all these events belong to. */
export const aTurn = TurnId.parse(uuid(1));
export const anotherTurn = TurnId.parse(uuid(2));
export const aToolCall = (name: string): ToolCallId => ToolCallId.parse(name);
export const aMessageId = (n: number): MessageId => MessageId.parse(uuid(n));
export const aLaptop: Actor = {
  principal: {
    kind: 'device',
    deviceId: DeviceId.parse(uuid(5)),
    personId: PersonId.parse(uuid(6)),
  },
  name: 'Laptop',
};

/** Bodies as stored events, one number after the other. */
export const numbered = (bodies: readonly EventBody[], from = 1): StoredEvent[] =>
  bodies.map((body, at) => ({ n: from + at, at: 1_000 * (from + at), body }));

export const turnStarted: EventBody = { kind: 'turn-started', turnId: aTurn };
export const turnEnded: EventBody = { kind: 'turn-ended', turnId: aTurn, outcome: 'done' };

export const aText = (
  blockId: string,
  text: string,
  more: Partial<EventBodyOf<'text'>> = {},
): EventBody => ({ kind: 'text', turnId: aTurn, blockId, text, ...more });

export const toolCalled = (
  name: string,
  more: Partial<EventBodyOf<'tool-called'>> = {},
): EventBody => ({
  kind: 'tool-called',
  turnId: aTurn,
  toolCallId: aToolCall(name),
  tool: 'Read',
  title: 'a.ts',
  input: {},
  inputCut: false,
  ...more,
});

export const toolReturned = (
  name: string,
  more: Partial<EventBodyOf<'tool-returned'>> = {},
): EventBody => ({
  kind: 'tool-returned',
  turnId: aTurn,
  toolCallId: aToolCall(name),
  output: 'fine',
  failed: false,
  outputCut: false,
  ...more,
});

/** A piece of a block that is being written, beginning at `offset`. */
export const aDelta = (blockId: string, offset: number, text: string): Delta => ({
  kind: 'text',
  turnId: aTurn,
  blockId,
  offset,
  text,
});

export const messageAccepted = (n: number, queued: boolean): EventBody => ({
  kind: 'message-accepted',
  messageId: aMessageId(n),
  text: `message ${n}`,
  by: aLaptop,
  queued,
});

/** A request of one card, as when it opened; its tool call is `ask`. */
export function anOpenRequest(more: Partial<CardRequest> = {}): CardRequest {
  const id = RequestId.parse(uuid(20));
  const conversationId = ConversationId.parse(uuid(21));
  return {
    id,
    conversationId,
    toolCallId: aToolCall('ask'),
    status: 'open',
    openedAt: 1,
    deadlineAt: 100,
    deadlineOurs: true,
    detached: false,
    delivery: 'none',
    possibleRepeat: false,
    version: 1,
    cards: [
      {
        id: CardId.parse(uuid(22)),
        requestId: id,
        conversationId,
        position: 0,
        version: 1,
        status: 'open',
        body: {
          kind: 'question',
          question: 'Which?',
          options: [{ label: 'A' }],
          allowsSeveral: false,
          offersSelectSeveral: false,
          notes: [],
        },
      },
    ],
    ...more,
  };
}

/** The end of {@link anOpenRequest}, answered. */
export function requestClosed(): EventBody {
  const { id, cards } = anOpenRequest();
  return {
    kind: 'request-closed',
    requestId: id,
    outcome: 'answered',
    cards: cards.map((card) => ({ ...card, version: 2, status: 'answered' })),
  };
}
