/**
 * The statements of a flush. Each takes columns as arrays, so that its text, and with it its plan, is the same for one
 * row and for a thousand. Times come in as milliseconds since 1970.
 */

/** In the order of ids, so that no two flushes can wait for each other. */
export const LOCK_HEADS = `
  select conversation_id as "conversationId", month::text as month, relay_id as "relayId", epoch,
    last_event_n as "lastEventN", received_n as "receivedN", sent_n as "sentN",
    last_queue_n as "lastQueueN", version, remembers_n as "remembersN"
  from conversation_head where conversation_id = any($1::uuid[])
  order by conversation_id for update`;

/** After the locks, in a statement of its own: one that had waited would still see the rows as they were before. */
export const LOAD_CONVERSATIONS = `
  select n.now, n."seenAt", c.id, c.person_id as "personId", c.relay_id as "relayId", r.name as "relayName",
    c.provider, c.engine, c.model, c.folder, c.title, c.mode, c.mode_version as "modeVersion",
    c.mode_acknowledged as "modeAcknowledged", c.grants, c.process, c.turn, c.failure,
    c.session_ref as "sessionRef", c.replies_in_text as "repliesInText",
    c.open_cards as "openCards", c.waiting_since as "waitingSince", c.queued,
    c.last_line as "lastLine", c.last_event_at as "lastEventAt", c.created_at as "createdAt",
    c.archived_at as "archivedAt", c.deleted_at as "deletedAt"
  from (select app_now() as now, (select at from clock_seen) as "seenAt") n
  left join (conversation c join relay r on r.id = c.relay_id) on c.id = any($1::uuid[])`;

/** A request's columns with its cards as JSON, from `request r`. */
export const REQUEST_COLUMNS = `
  r.id, r.conversation_id as "conversationId", r.person_id as "personId",
  r.tool_call_id as "toolCallId", r.turn_id as "turnId", r.canonical_hash as "canonicalHash",
  r.status, r.outcome, r.opened_at as "openedAt", r.deadline_at as "deadlineAt",
  r.deadline_ours as "deadlineOurs", r.time_given_at as "timeGivenAt", r.detached, r.delivery, r.possible_repeat as "possibleRepeat",
  r.asked_by as "askedBy", r.version,
  (select jsonb_agg(jsonb_build_object(
      'id', k.id, 'position', k.position, 'version', k.version, 'body', k.body, 'status', k.status,
      'answer', k.answer, 'settledBy', k.settled_by,
      'settledAt', (extract(epoch from k.settled_at) * 1000)::bigint) order by k.position)
    from card k where k.request_id = r.id) as cards`;

/** Of some conversations all requests that can still change, and those that a write names. */
export const LOAD_REQUESTS = `
  select ${REQUEST_COLUMNS} from request r
  where r.id in (
    select id from request
      where conversation_id = any($1::uuid[]) and (status = 'open' or delivery in ('pending', 'handed'))
    union select q.id from unnest($2::uuid[], $3::text[]) as call (conversation_id, tool_call_id)
      join request q using (conversation_id, tool_call_id)
    union select request_id from card where id = any($4::uuid[])
    union select unnest($5::uuid[]))`;

/** Of some conversations the messages that wait, and those that a write names. */
export const LOAD_MESSAGES = `
  select id, conversation_id as "conversationId", n, text, at, status from queued_message
  where (conversation_id = any($1::uuid[]) and status = 'queued')
  union
  select id, conversation_id, n, text, at, status from queued_message where id = any($2::uuid[])
  order by n`;

/** P13: whether the relay says that a provider's agent has no question tool. */
export const CREATE_CONVERSATIONS = `
  with fresh as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[],
      $7::text[], $8::text[], $9::text[], $10::float8[])
    as i (id, person_id, relay_id, provider, engine, model, folder, title, mode, created_ms)
  ), made as (
    insert into conversation (id, person_id, relay_id, provider, engine, model, folder, title, mode,
      created_at, last_event_at, replies_in_text)
    select id, person_id, relay_id, provider, engine, model, folder, title, mode,
      to_timestamp(created_ms / 1000.0), to_timestamp(created_ms / 1000.0), exists (
        select 1 from relay r, jsonb_array_elements(r.providers) p
        where r.id = fresh.relay_id and p #>> '{descriptor,id}' = fresh.provider
          and p #> '{descriptor,capabilities,questions}' = 'false')
    from fresh
  )
  insert into conversation_head (conversation_id, month, relay_id, epoch, last_event_n, received_n,
    sent_n, last_queue_n, version)
  select id, date_trunc('month', to_timestamp(created_ms / 1000.0) at time zone 'UTC')::date,
    relay_id, 1, 0, 0, 0, 0, 0
  from fresh`;

/**
 * Moves the heads on, stores the events, changes the conversations. A head moves only from where it was read: epoch,
 * the relay's last number and the last event's are checked in the statement itself (link rules 1 and 2).
 */
export const APPEND = `
  with head as (
    update conversation_head h set last_event_n = i.last_event_n, received_n = i.received_n,
      sent_n = i.sent_n, last_queue_n = i.last_queue_n, version = i.version
    from unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[],
      $8::int[], $9::int[])
      as i (id, epoch, received_before, last_before, last_event_n, received_n, sent_n, last_queue_n, version)
    where h.conversation_id = i.id and h.epoch = i.epoch and h.received_n = i.received_before
      and h.last_event_n = i.last_before
    returning 1
  ), logged as (
    insert into event (month, conversation_id, n, at, body)
    select month, id, n, to_timestamp(at_ms / 1000.0), body
    from unnest($10::date[], $11::uuid[], $12::int[], $13::float8[], $14::jsonb[])
      as i (month, id, n, at_ms, body)
  ), changed as (
    update conversation c set title = i.title, mode = i.mode, mode_version = i.mode_version,
      mode_acknowledged = i.mode_acknowledged, process = i.process, turn = i.turn,
      failure = i.failure, session_ref = i.session_ref, open_cards = i.open_cards,
      waiting_since = to_timestamp(i.waiting_ms / 1000.0), queued = i.queued, last_line = i.last_line,
      last_event_at = to_timestamp(i.last_ms / 1000.0),
      archived_at = to_timestamp(i.archived_ms / 1000.0),
      deleted_at = to_timestamp(i.deleted_ms / 1000.0), grants = i.grants
    from unnest($15::uuid[], $16::text[], $17::text[], $18::int[], $19::int[], $20::text[],
      $21::text[], $22::jsonb[], $23::text[], $24::int[], $25::float8[], $26::int[], $27::text[],
      $28::float8[], $29::float8[], $30::float8[], $31::jsonb[])
      as i (id, title, mode, mode_version, mode_acknowledged, process, turn, failure, session_ref,
        open_cards, waiting_ms, queued, last_line, last_ms, archived_ms, deleted_ms,
        grants)
    where c.id = i.id
  )
  select as_planned((select count(*) from head) = cardinality($1::uuid[]), 'the head of a conversation')`;

/** Requests with their cards, as they opened. */
export const OPEN_REQUESTS = `
  with opened as (
    insert into request (id, conversation_id, person_id, tool_call_id, turn_id, canonical_hash, status,
      opened_at, deadline_at, deadline_ours, asked_by)
    select id, conversation_id, person_id, tool_call_id, turn_id, canonical_hash, 'open',
      to_timestamp(opened_ms / 1000.0), to_timestamp(deadline_ms / 1000.0), ours, asked_by
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::float8[],
      $8::float8[], $9::boolean[], $10::text[])
      as i (id, conversation_id, person_id, tool_call_id, turn_id, canonical_hash, opened_ms,
        deadline_ms, ours, asked_by)
  )
  insert into card (id, request_id, position, body)
  select * from unnest($11::uuid[], $12::uuid[], $13::int[], $14::jsonb[])`;

/**
 * The one statement that arbitrates (C6, C7, C10, C15). A card is settled only if it still has the version that the
 * decision was made on and its request may still be settled: open, and before its deadline for a decision
 * (`answerable`), past it for an expiry (`due`), by the database's clock at this very moment; a deadline that passed
 * while that clock ran unseen counts as ahead.
 * Where fewer are settled than planned, the whole flush ends with a serialization failure and is planned again.
 */
export const SETTLE = `
  with wanted as (
    select * from unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[], $6::text[],
      $7::text[], $8::float8[], $9::boolean[], $10::text[], $11::boolean[])
    as i (id, guard, version_before, version, tool_call_id, status, outcome, deadline_ms, detached,
      delivery, possible_repeat)
  ), allowed as (
    select w.* from wanted w join request r on r.id = w.id
    where r.version = w.version_before and case w.guard
      when 'answerable' then r.status = 'open' and (r.deadline_at > app_now() or slept_past(r.deadline_at))
      when 'due' then r.status = 'open' and r.deadline_at <= app_now() and not slept_past(r.deadline_at)
      when 'open' then r.status = 'open'
      else true end
  ), settled as (
    update card k set version = i.version, status = i.status, answer = i.answer,
      settled_by = i.settled_by, settled_at = to_timestamp(i.settled_ms / 1000.0)
    from unnest($12::uuid[], $13::uuid[], $14::int[], $15::int[], $16::text[], $17::jsonb[],
      $18::jsonb[], $19::float8[])
      as i (id, request_id, version_before, version, status, answer, settled_by, settled_ms),
      allowed a
    where k.id = i.id and k.version = i.version_before and k.request_id = i.request_id
      and a.id = i.request_id
    returning 1
  ), changed as (
    update request r set version = a.version, tool_call_id = a.tool_call_id, status = a.status,
      outcome = a.outcome, deadline_at = to_timestamp(a.deadline_ms / 1000.0), detached = a.detached,
      delivery = a.delivery, possible_repeat = a.possible_repeat
    from allowed a where r.id = a.id and r.version = a.version_before
    returning 1
  )
  select as_planned((select count(*) from settled) = cardinality($12::uuid[])
    and (select count(*) from changed) = cardinality($1::uuid[]), 'a card')`;

export const QUEUE_MESSAGES = `
  insert into queued_message (id, conversation_id, n, text, at, status)
  select id, conversation_id, n, text, to_timestamp(at_ms / 1000.0), status
  from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::float8[], $6::text[])
    as i (id, conversation_id, n, text, at_ms, status)`;

export const CHANGE_MESSAGES = `
  update queued_message m set status = i.status, text = i.text
  from unnest($1::uuid[], $2::text[], $3::text[]) as i (id, status, text) where m.id = i.id`;

export const HAND_OUT = `
  insert into outbox (conversation_id, epoch, n, relay_id, message, run)
  select *, $6 from unnest($1::uuid[], $2::int[], $3::int[], $4::uuid[], $5::jsonb[])`;

/** Link rule 10: the relay has told back all that the hub had said. */
export const REMEMBER = `
  update conversation_head set remembers_n = null where conversation_id = any($1::uuid[])`;

/**
 * C11: answers that the person superseded by stopping the turn, where the relay has not taken them yet. Their place in
 * the numbering is kept by a message that does no harm.
 */
export const SUPERSEDE = `
  update outbox set message = '{"kind": "interrupt"}'
  where conversation_id = any($1::uuid[]) and message ->> 'kind' = 'give-answer'
    and (message ->> 'requestId')::uuid = any($2::uuid[])`;

export const INSERT_AUDIT = `
  insert into audit (actor, action, conversation_id, card_id, body, signature)
  select * from unnest($1::jsonb[], $2::text[], $3::uuid[], $4::uuid[], $5::jsonb[], $6::text[])`;
