import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { AgentEvent, StoredEvent, type ConversationId, type RelayMessage } from '#contracts';
import {
  applyRecord,
  newConversationState,
} from '../../../apps/relay/src/journal/conversation-state.js';
import { MACHINE_DISK } from '../../../apps/relay/src/disk/disk.js';
import { listSegments, readSegment } from '../../../apps/relay/src/journal/segment-files.js';
import type {
  ConversationRecords,
  JournalRecords,
  StoredCard,
  StoredConversation,
  StoredMessage,
  StoredRequest,
} from './records.js';

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

/** Reads one conversation's rows. */
export async function storedConversation(
  database: pg.Pool,
  id: ConversationId,
): Promise<StoredConversation> {
  const head = await database.query<Omit<StoredConversation, 'events' | 'requests' | 'messages'>>(
    `select last_event_n as "lastEventN", sent_n as "sentN", received_n as "receivedN", turn,
       (select count(*)::int from outbox where outbox.conversation_id = conversation.id) as outbox
     from conversation_head join conversation on id = conversation_id where id = $1`,
    [id],
  );
  const [found] = head.rows;
  if (found === undefined) throw new Error(`the database has no conversation ${id}`);
  const events = await database.query<{ n: number; at: number; body: unknown }>(
    `select n, ${ms('at')} as at, body from event where conversation_id = $1 order by n`,
    [id],
  );
  const messages = await database.query<StoredMessage>(
    `select id, n, status from queued_message where conversation_id = $1 order by n`,
    [id],
  );
  return {
    ...found,
    events: events.rows.map((row) => StoredEvent.parse(row)),
    requests: await storedRequests(database, id),
    messages: messages.rows,
  };
}

async function storedRequests(database: pg.Pool, id: ConversationId): Promise<StoredRequest[]> {
  const requests = await database.query<Omit<StoredRequest, 'cards'>>(
    `select id, tool_call_id as "toolCallId", status, outcome, delivery,
       possible_repeat as "possibleRepeat", ${ms('deadline_at')} as "deadlineAt"
     from request where conversation_id = $1 order by opened_at`,
    [id],
  );
  const cards = await database.query<StoredCard & { requestId: string }>(
    `select card.id, request_id as "requestId", card.version, card.status, answer,
       settled_by as "settledBy", ${ms('settled_at')} as "settledAt"
     from card join request on request.id = request_id where conversation_id = $1 order by position`,
    [id],
  );
  return requests.rows.map((request) => ({
    ...request,
    cards: cards.rows.filter(({ requestId }) => requestId === request.id),
  }));
}

/** Reads what a relay has kept of one conversation, as the relay itself would. */
export async function journalRecords(
  relayHome: string,
  id: ConversationId,
): Promise<JournalRecords | undefined> {
  const journals = path.join(relayHome, 'journals');
  const names = (await readdir(journals)).filter((name) => name.startsWith(id));
  const [name] = names;
  if (name === undefined || names.length > 1) return undefined;
  const state = newConversationState({ conversationId: id, epoch: 1 });
  const out = new Map<number, RelayMessage>();
  for (const { file } of await listSegments(MACHINE_DISK, path.join(journals, name))) {
    for (const { record } of (await readSegment(MACHINE_DISK, file)).found) {
      applyRecord(state, record);
      if (record.r === 'out') out.set(record.n, record.message);
    }
  }
  const events = [...out.values()].flatMap((message) =>
    message.kind === 'agent-events' ? message.events : [],
  );
  return {
    sent: state.sent,
    received: state.received,
    work: state.work.length,
    waiting: state.waiting.length,
    events: events.map((event) => AgentEvent.parse(event)),
  };
}

/** What of a conversation has not come to rest between hub and relay yet. */
export const linkIsEven = ({ database, journal }: ConversationRecords): boolean =>
  journal !== undefined &&
  database.outbox === 0 &&
  journal.sent === database.receivedN &&
  journal.received === database.sentN;
