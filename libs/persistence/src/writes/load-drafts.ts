import type { CardId, ConversationId, RequestId, ToolCallId } from '#contracts';
import type { ClockReading } from '#domain';
import type pg from 'pg';
import { allInOrder } from './all-in-order.js';
import {
  ConversationDraft,
  type LoadedConversation,
  type MessageDraft,
  type RequestDraft,
} from './conversation-draft.js';
import { conversationOfWrite, type PlannedWrite } from './plan-write.js';
import { LOAD_CONVERSATIONS, LOAD_MESSAGES, LOAD_REQUESTS, LOCK_HEADS } from './statements.js';
import {
  requestOf,
  type ConversationRow,
  type HeadRow,
  type MessageRow,
  type RequestRow,
} from './stored-rows.js';

/** What the writes of a flush name, and therefore need to see besides their conversations. */
interface Needs {
  /** conversations whose requests and queue decide */
  readonly whole: ConversationId[];
  readonly calls: { readonly conversationId: ConversationId; readonly toolCallId: ToolCallId }[];
  readonly cards: CardId[];
  readonly requests: RequestId[];
  readonly messages: string[];
}

/**
 * Begins the transaction, then reads and locks everything that a flush needs. Nothing that is asked rests on an earlier
 * reply, so all of it is sent at once; PostgreSQL goes through it in order.
 */
export async function beginWithDrafts(
  client: pg.ClientBase,
  writes: readonly PlannedWrite[],
): Promise<Map<ConversationId, ConversationDraft>> {
  const ids = [...new Set(writes.map(conversationOfWrite))];
  const needs = needsOf(writes);
  const [, heads, loaded, requests, messages] = await allInOrder([
    // Named, because only then it leaves together with the others.
    client.query({ name: 'begin', text: 'begin' }),
    rows<HeadRow>(client, 'lock-heads', LOCK_HEADS, [ids]),
    rows<ClockReading & ConversationRow>(client, 'load-conversations', LOAD_CONVERSATIONS, [ids]),
    loadRequests(client, needs),
    loadMessages(client, needs),
  ]);
  const [clock] = loaded;
  if (clock === undefined) throw new Error('the database did not tell the time');
  const found: Found = {
    writes,
    heads: new Map(heads.map((head) => [head.conversationId, head])),
    loaded: new Map(loaded.map((row) => [row.id, row])),
    requests: byConversation(requests),
    messages,
    clock,
  };
  return new Map(ids.flatMap((id) => draftOf(id, found)));
}

function needsOf(writes: readonly PlannedWrite[]): Needs {
  const needs: Needs = { whole: [], calls: [], cards: [], requests: [], messages: [] };
  for (const write of writes) {
    if (write.kind === 'intake') intakeNeeds(needs, write);
    else needs.whole.push(conversationOfWrite(write));
    if (write.kind === 'settle-card') needs.cards.push(write.cardId);
    if (write.kind === 'extend-deadline' || write.kind === 'expire') {
      needs.requests.push(write.requestId);
    }
    if (write.kind === 'create-conversation') needs.messages.push(write.firstMessage.messageId);
    if (write.kind === 'accept-message' || write.kind === 'cancel-message') {
      needs.messages.push(write.messageId);
    }
  }
  return needs;
}

/** Most of what a relay sends are events, which need nothing but their conversation's row. */
function intakeNeeds(
  needs: Needs,
  { fence, effect }: Extract<PlannedWrite, { kind: 'intake' }>,
): void {
  const { conversationId } = fence;
  const { events: _events, patch, ...others } = effect;
  const decides =
    patch.turn !== undefined || Object.values(others).some((value) => value !== undefined);
  if (decides) needs.whole.push(conversationId);
  if (effect.open !== undefined) {
    needs.calls.push({ conversationId, toolCallId: effect.open.toolCallId });
  }
  if (effect.delivery !== undefined) answerNeeds(needs, conversationId, effect.delivery);
  for (const said of effect.toldBack?.said ?? []) {
    if (said.kind === 'message') needs.messages.push(said.messageId);
    else answerNeeds(needs, conversationId, said);
  }
  if (effect.pickedUp !== undefined) needs.messages.push(effect.pickedUp);
}

/** A request whose id the relay names, which may have another one by now (link rule 10). */
function answerNeeds(
  needs: Needs,
  conversationId: ConversationId,
  { requestId, toolCallId }: { readonly requestId: RequestId; readonly toolCallId?: ToolCallId },
): void {
  needs.requests.push(requestId);
  if (toolCallId !== undefined) needs.calls.push({ conversationId, toolCallId });
}

async function loadRequests(client: pg.ClientBase, needs: Needs): Promise<RequestRow[]> {
  if (needs.whole.length === 0) return [];
  return rows<RequestRow>(client, 'load-requests', LOAD_REQUESTS, [
    needs.whole,
    needs.calls.map(({ conversationId }) => conversationId),
    needs.calls.map(({ toolCallId }) => toolCallId),
    needs.cards,
    needs.requests,
  ]);
}

async function loadMessages(client: pg.ClientBase, needs: Needs): Promise<MessageRow[]> {
  if (needs.whole.length === 0) return [];
  return rows<MessageRow>(client, 'load-messages', LOAD_MESSAGES, [needs.whole, needs.messages]);
}

interface Found {
  readonly writes: readonly PlannedWrite[];
  readonly heads: ReadonlyMap<ConversationId, HeadRow>;
  readonly loaded: ReadonlyMap<ConversationId, ConversationRow>;
  readonly requests: ReadonlyMap<ConversationId, readonly RequestRow[]>;
  readonly messages: readonly MessageRow[];
  readonly clock: ClockReading;
}

function byConversation(requests: readonly RequestRow[]): Map<ConversationId, RequestRow[]> {
  const found = new Map<ConversationId, RequestRow[]>();
  for (const row of requests) {
    const before = found.get(row.conversationId);
    if (before === undefined) found.set(row.conversationId, [row]);
    else before.push(row);
  }
  return found;
}

function draftOf(id: ConversationId, found: Found): [ConversationId, ConversationDraft][] {
  const start = storedConversation(id, found) ?? newConversation(id, found);
  if (start === undefined) return [];
  const requests = (found.requests.get(id) ?? []).map((row): RequestDraft => {
    const request = requestOf(row);
    const canonical = row.canonicalHash;
    return { before: request, isNew: false, canonical, now: request, guard: 'any' };
  });
  const messages = found.messages
    .filter(({ conversationId }) => conversationId === id)
    .map((row): MessageDraft => ({ row, isNew: false, changed: false }));
  const elsewhere = found.messages.filter(({ conversationId }) => conversationId !== id);
  return [[id, new ConversationDraft({ ...start, requests, messages, elsewhere }, found.clock)]];
}

type Start = Pick<LoadedConversation, 'head' | 'row' | 'isNew'>;

function storedConversation(id: ConversationId, { heads, loaded }: Found): Start | undefined {
  const head = heads.get(id);
  const row = loaded.get(id);
  return head === undefined || row === undefined ? undefined : { head, row, isNew: false };
}

function newConversation(id: ConversationId, { writes, clock: { now } }: Found): Start | undefined {
  const creation = writes.find(
    (write) => write.kind === 'create-conversation' && write.conversation.id === id,
  );
  if (creation?.kind !== 'create-conversation') return undefined;
  const { engine, model, ...conversation } = creation.conversation;
  const row: ConversationRow = {
    ...conversation,
    engine: engine ?? null,
    model: model ?? null,
    relayName: '',
    modeVersion: 1,
    modeAcknowledged: 0,
    grants: [],
    process: 'none',
    turn: 'none',
    failure: null,
    sessionRef: null,
    repliesInText: false,
    openCards: 0,
    waitingSince: null,
    queued: 0,
    lastLine: '',
    lastEventAt: now,
    createdAt: now,
    archivedAt: null,
    deletedAt: null,
  };
  return { row, head: newHead(row, now), isNew: true };
}

function newHead({ id, relayId }: ConversationRow, now: number): HeadRow {
  return {
    conversationId: id,
    month: `${new Date(now).toISOString().slice(0, 7)}-01`,
    relayId,
    epoch: 1,
    lastEventN: 0,
    receivedN: 0,
    sentN: 0,
    lastQueueN: 0,
    version: 0,
    remembersN: null,
  };
}

async function rows<Row>(
  client: pg.ClientBase,
  ...[name, text, values]: [name: string, text: string, values: unknown[]]
): Promise<Row[]> {
  const { rows: found } = await client.query({ name, text, values });
  return found as Row[];
}
