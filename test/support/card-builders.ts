import {
  type Actor,
  type Answer,
  type CardBody,
  type CardRequest,
  type Question,
  CardId,
  ConversationId,
  DeviceId,
  PersonId,
  RequestId,
  ToolCallId,
} from '#contracts';
import type { SettleCommand } from '#domain';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** What a card asks, where it must be a question. */
export function questionOf(body: CardBody | undefined): Question {
  if (body?.kind !== 'question') throw new Error(`not a question but ${body?.kind}`);
  return body;
}

export const anActor = (n = 1): Actor => ({
  principal: {
    kind: 'device',
    deviceId: DeviceId.parse(uuid(n)),
    personId: PersonId.parse(uuid(9)),
  },
  name: `Device ${n}`,
});

export const aQuestion = (more: Partial<Question> = {}): Question => ({
  kind: 'question',
  question: 'Which database should the new service use?',
  options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }],
  allowsSeveral: false,
  offersSelectSeveral: false,
  notes: [],
  ...more,
});

/** An open request whose deadline is far away unless told otherwise. */
export function aRequest(of: { questions: number; deadlineAt?: number }): CardRequest {
  const requestId = RequestId.parse(uuid(100));
  const conversationId = ConversationId.parse(uuid(200));
  return {
    id: requestId,
    conversationId,
    toolCallId: ToolCallId.parse('toolu_1'),
    status: 'open',
    openedAt: 0,
    deadlineAt: of.deadlineAt ?? 1_000_000,
    deadlineOurs: true,
    detached: false,
    delivery: 'none',
    possibleRepeat: false,
    version: 1,
    cards: Array.from({ length: of.questions }, (_, position) => ({
      id: CardId.parse(uuid(300 + position)),
      requestId,
      conversationId,
      position,
      version: 1,
      body: aQuestion(),
      status: 'open' as const,
    })),
  };
}

/** An answer to the card at `position`, at the version that `request` shows. */
export function answering(request: CardRequest, position: number, answer: Answer): SettleCommand {
  const card = request.cards[position];
  if (card === undefined) throw new Error(`the request has no card ${position}`);
  return {
    cardId: card.id,
    version: card.version,
    decision: { kind: 'answer', answer },
    by: anActor(),
  };
}
