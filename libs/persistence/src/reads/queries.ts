import { REQUEST_COLUMNS } from '../writes/statements.js';

const CONVERSATION_COLUMNS = `
  c.id, c.person_id as "personId", c.relay_id as "relayId", c.provider, c.engine, c.model, c.folder,
  c.title, c.mode, c.mode_version as "modeVersion", c.mode_acknowledged as "modeAcknowledged", c.grants,
  c.process, c.turn, c.failure, c.replies_in_text as "repliesInText", c.open_cards as "openCards",
  c.waiting_since as "waitingSince", c.queued, c.last_line as "lastLine",
  c.last_event_at as "lastEventAt", c.created_at as "createdAt", c.archived_at as "archivedAt",
  h.last_event_n as "lastEventN", h.version, h.month::text as month`;

/**
 * $1 person. D1's order. Each request looks its conversation up: a join would be planned by reading all conversations,
 * and the inbox is to cost the same however many there are.
 */
export const INBOX = `
  select ${REQUEST_COLUMNS}, (
    select jsonb_build_object('title', c.title, 'provider', c.provider, 'relayId', c.relay_id,
      'folder', c.folder, 'mode', c.mode, 'modeVersion', c.mode_version,
      'modeAcknowledged', c.mode_acknowledged)
    from conversation c where c.id = r.conversation_id) as conversation
  from request r
  where r.person_id = $1 and r.status = 'open'
  order by r.deadline_at, r.opened_at, r.id`;

/**
 * $1 person, $2 and $3 where the last page ended (milliseconds, id; null for the first), $4 pattern or null, $5 limit.
 * The comparison of rows is what lets the index begin where the last page ended.
 */
const board = (archived: 'null' | 'not null'): string => `
  select ${CONVERSATION_COLUMNS}
  from conversation c join conversation_head h on h.conversation_id = c.id
  where c.person_id = $1 and c.deleted_at is null and c.archived_at is ${archived}
    and (c.last_event_at, c.id) < (
      coalesce(to_timestamp($2::float8 / 1000.0), 'infinity'::timestamptz),
      coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    and ${searched(4)}
  order by c.last_event_at desc, c.id desc limit $5`;

const boardTotal = (archived: 'null' | 'not null'): string => `
  select count(*)::int as total from (
    select 1 from conversation c
    where c.person_id = $1 and c.deleted_at is null and c.archived_at is ${archived}
      and ${searched(2)} limit 10000) counted`;

/** Searched along the board's index: what is looked for is mostly new, and a page ends the search. */
function searched(parameter: number): string {
  const pattern = `$${parameter}::text`;
  return `(${pattern} is null or c.title ilike ${pattern} or c.folder ilike ${pattern} or c.last_line ilike ${pattern})`;
}

export const BOARD = { board: board('null'), archive: board('not null') };
export const BOARD_TOTAL = { board: boardTotal('null'), archive: boardTotal('not null') };

/** $1 conversation. */
export const CONVERSATION = `
  select ${CONVERSATION_COLUMNS}
  from conversation c join conversation_head h on h.conversation_id = c.id
  where c.id = $1 and c.deleted_at is null`;

/** $1 month, $2 conversation, $3 after, $4 limit. */
export const EVENTS_AFTER = `
  select n, at, body from event
  where month = $1::date and conversation_id = $2 and n > $3 order by n limit $4`;

/** $1 month, $2 conversation, $3 before, $4 limit; newest first. */
export const EVENTS_BEFORE = `
  select n, at, body from event
  where month = $1::date and conversation_id = $2 and n < $3 order by n desc limit $4`;

/** $1 conversation. */
export const QUEUE = `
  select n, id, text, at from queued_message
  where conversation_id = $1 and status = 'queued' order by n`;

/** $1 conversation: what waits, and answers on their way; what is over stands in the log. */
export const REQUESTS_OF_CONVERSATION = `
  select ${REQUEST_COLUMNS} from request r
  where r.conversation_id = $1 and (r.status = 'open' or r.delivery in ('pending', 'handed'))
  order by r.opened_at, r.id`;

/** $1 card. */
export const CARD = `
  select ${REQUEST_COLUMNS} from request r
  where r.id = (select request_id from card where id = $1)`;

/** $1 request. */
export const REQUEST = `select ${REQUEST_COLUMNS} from request r where r.id = $1`;

/** $1 person, $2 relay, $3 how many conversations to look at. */
export const RECENT_FOLDERS = `
  select folder from (
    select folder, relay_id, deleted_at from conversation
    where person_id = $1 order by created_at desc limit $3) newest
  where relay_id = $2 and deleted_at is null`;

export const NOW = 'select app_now() as now';

/** $1 relay, $2 conversations that it names: those, and all that have something to hand out to it. */
export const LINK_CURSORS = `
  select h.conversation_id as "conversationId", h.epoch, h.sent_n as sent, h.received_n as received,
    h.remembers_n as remembers,
    coalesce((select min(o.n) from outbox o where o.conversation_id = h.conversation_id and o.epoch = h.epoch),
      h.sent_n + 1) as "firstKept"
  from conversation_head h
  where h.relay_id = $1 and h.conversation_id in (
    select unnest($2::uuid[])
    union select o.conversation_id from outbox o where o.relay_id = $1)
  order by h.conversation_id`;

/** $1 conversation, $2 epoch, $3 after, $4 limit; nothing where another epoch is in force. */
export const OUTBOX = `
  select o.conversation_id as "conversationId", o.epoch, o.n, o.message from outbox o
  join conversation_head h on h.conversation_id = o.conversation_id and h.epoch = o.epoch
  where o.conversation_id = $1 and o.epoch = $2 and o.n > $3 order by o.n limit $4`;

/** $1 relay, $2 conversations, $3 epochs, $4 numbers. */
export const ACKNOWLEDGED = `
  delete from outbox o using unnest($2::uuid[], $3::int[], $4::int[]) as i (id, epoch, n)
  where o.relay_id = $1 and o.conversation_id = i.id and o.epoch = i.epoch and o.n <= i.n`;

/** Over all people; each part reads what is unsettled and no more. */
export const WAITING = `
  select
    (select count(*)::int from request where status = 'open') as open,
    (select coalesce(extract(epoch from app_now() - min(opened_at)) * 1000, 0)::float8
      from request where status = 'open') as "oldestMs",
    (select count(*)::int from request
      where delivery in ('pending', 'handed') and status = 'closed') as unconfirmed,
    (select count(*)::int from outbox) as outbox`;
