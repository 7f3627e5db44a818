import type {
  Actor,
  Answer,
  Card,
  CardId,
  CardOutcome,
  CardRequest,
  CardStatus,
  Conversation,
  ConversationId,
  Delivery,
  Failure,
  Instant,
  Grant,
  MessageId,
  PersonId,
  ProcessState,
  ProviderId,
  RelayId,
  RelayMode,
  RequestId,
  ToolCallId,
  TurnId,
  Settlement,
  TurnState,
  Verdict,
} from '#contracts';
import { conversationState } from '#domain';
import { cardBodyOf } from './card-body.js';

/** `conversation_head`: what every write locks and moves on. */
export interface HeadRow {
  conversationId: ConversationId;
  /** `2026-12-01` */
  readonly month: string;
  relayId: RelayId;
  epoch: number;
  lastEventN: number;
  receivedN: number;
  sentN: number;
  lastQueueN: number;
  version: number;
  /** Link rule 10: set until the relay has told back what the hub said after this number. */
  remembersN: number | null;
}

/** `conversation` with the name of its relay. */
export interface ConversationRow {
  readonly id: ConversationId;
  readonly personId: PersonId;
  readonly relayId: RelayId;
  readonly relayName: string;
  readonly provider: ProviderId;
  readonly engine: string | null;
  readonly model: string | null;
  readonly folder: string;
  title: string;
  mode: RelayMode;
  modeVersion: number;
  modeAcknowledged: number;
  grants: readonly Grant[];
  process: ProcessState;
  turn: TurnState;
  failure: Failure | null;
  sessionRef: string | null;
  readonly repliesInText: boolean;
  openCards: number;
  waitingSince: Instant | null;
  queued: number;
  lastLine: string;
  lastEventAt: Instant;
  readonly createdAt: Instant;
  archivedAt: Instant | null;
  deletedAt: Instant | null;
}

/** `request` with its cards. */
export interface RequestRow {
  readonly id: RequestId;
  readonly conversationId: ConversationId;
  readonly personId: PersonId;
  readonly toolCallId: ToolCallId;
  readonly turnId: TurnId | null;
  readonly canonicalHash: string;
  readonly status: 'open' | 'closed';
  readonly outcome: CardOutcome | null;
  readonly openedAt: Instant;
  readonly deadlineAt: Instant;
  readonly deadlineOurs: boolean;
  readonly timeGivenAt: Instant | null;
  readonly detached: boolean;
  readonly delivery: Delivery;
  readonly possibleRepeat: boolean;
  readonly askedBy: string | null;
  readonly version: number;
  readonly cards: readonly CardRow[];
}

interface CardRow {
  readonly id: CardId;
  readonly position: number;
  readonly version: number;
  readonly body: unknown;
  readonly status: CardStatus;
  readonly answer: Answer | { readonly verdict: Verdict } | null;
  readonly settledBy: Actor | null;
  readonly settledAt: Instant | null;
}

/** `queued_message`; the text is gone once it is no longer queued. */
export interface MessageRow {
  readonly id: MessageId;
  readonly conversationId: ConversationId;
  readonly n: number;
  text: string | null;
  readonly at: Instant;
  status: 'queued' | 'handed' | 'picked-up' | 'cancelled';
}

/** A conversation as devices see it. */
export function conversationOf(
  row: ConversationRow,
  head: Pick<HeadRow, 'lastEventN' | 'version'>,
): Conversation {
  return {
    id: row.id,
    relayId: row.relayId,
    title: row.title,
    provider: row.provider,
    ...present('engine', row.engine),
    ...present('model', row.model),
    folder: row.folder,
    mode: {
      mode: row.mode,
      version: row.modeVersion,
      acknowledgedVersion: row.modeAcknowledged,
    },
    grants: [...row.grants],
    state: conversationState(row),
    process: row.process,
    turn: row.turn,
    ...present('failure', row.failure),
    openCards: row.openCards,
    ...present('waitingSince', row.waitingSince),
    queued: row.queued,
    lastLine: row.lastLine,
    lastEventAt: row.lastEventAt,
    lastEventN: head.lastEventN,
    createdAt: row.createdAt,
    ...present('archivedAt', row.archivedAt),
    version: head.version,
  };
}

/** A request as devices see it. */
export function requestOf(row: RequestRow): CardRequest {
  return {
    id: row.id,
    conversationId: row.conversationId,
    ...present('turnId', row.turnId),
    toolCallId: row.toolCallId,
    status: row.status,
    ...present('outcome', row.outcome),
    openedAt: row.openedAt,
    deadlineAt: row.deadlineAt,
    deadlineOurs: row.deadlineOurs,
    ...present('timeGivenAt', row.timeGivenAt),
    detached: row.detached,
    delivery: row.delivery,
    possibleRepeat: row.possibleRepeat,
    ...present('askedBy', row.askedBy),
    version: row.version,
    cards: row.cards.map((card) => cardOf(card, row)),
  };
}

function cardOf(row: CardRow, request: RequestRow): Card {
  const card: Card = {
    id: row.id,
    requestId: request.id,
    conversationId: request.conversationId,
    position: row.position,
    version: row.version,
    body: cardBodyOf(row.body),
    status: row.status,
  };
  if (row.status === 'open' || row.settledBy === null || row.settledAt === null) return card;
  const settlement = { outcome: row.status, by: row.settledBy, at: row.settledAt };
  return { ...card, settlement: { ...settlement, ...decisionOf(row.answer) } };
}

/** What was decided, as it is stored: an answer as it is, a verdict under its name. */
export function decisionColumn(settlement: Settlement | undefined): CardRow['answer'] {
  const { verdict, answer } = settlement ?? {};
  return verdict === undefined ? (answer ?? null) : { verdict };
}

function decisionOf(stored: CardRow['answer']): Pick<Settlement, 'answer' | 'verdict'> {
  if (stored === null) return {};
  return 'verdict' in stored ? { verdict: stored.verdict } : { answer: stored };
}

/** A key that is left out where the database has null. */
function present<K extends string, V>(key: K, value: V | null): { [P in K]?: V } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: V };
}
