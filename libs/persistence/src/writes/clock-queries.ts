/** Sees the clock where it went on as a clock does; no row where it ran unseen. */
export const SEE_CLOCK = `
  update clock_seen set at = app_now()
  where app_now() - at between interval '-1 minute' and interval '1 minute' returning at`;

/** Of two hubs that notice, one gives the time. */
export const LOCK_CLOCK = 'select from clock_seen for update';

export const READ_CLOCK = 'select app_now() as now, at as "seenAt" from clock_seen';

/**
 * $1 and $2 the span of deadlines that are moved, in milliseconds since 1970. In the order of ids, as every flush locks
 * them.
 */
export const LOCK_HEADS_TO_GIVE_TIME = `
  select conversation_id as id from conversation_head where conversation_id in (
    select conversation_id from request where status = 'open'
      and deadline_at > to_timestamp($1 / 1000.0) and deadline_at < to_timestamp($2 / 1000.0))
  order by conversation_id for update`;

/**
 * $1 and $2 as above, $3 the time, $4 conversations that are locked, $5 the actor: moves deadlines to the end of the span,
 * and logs it. A new version of the request is what a flush that has read the old one stumbles over.
 */
export const GIVE_TIME = `
  with given as (
    update request set deadline_at = to_timestamp($2 / 1000.0), version = version + 1,
      time_given_at = to_timestamp($3 / 1000.0)
    where status = 'open' and deadline_at > to_timestamp($1 / 1000.0)
      and deadline_at < to_timestamp($2 / 1000.0) and conversation_id = any($4::uuid[])
    returning id, conversation_id
  ), logged as (
    insert into event (month, conversation_id, n, at, body)
    select h.month, g.conversation_id,
      h.last_event_n + row_number() over (partition by g.conversation_id order by g.id),
      to_timestamp($3 / 1000.0), jsonb_build_object('kind', 'deadline-extended', 'requestId', g.id,
        'deadlineAt', $2::bigint, 'by', $5::jsonb, 'timeGivenAt', $3::bigint)
    from given g join conversation_head h on h.conversation_id = g.conversation_id
  ), moved as (
    update conversation_head h set last_event_n = h.last_event_n + g.requests, version = h.version + 1
    from (select conversation_id, count(*)::int as requests from given group by conversation_id) g
    where h.conversation_id = g.conversation_id
  )
  select count(*)::int as requests from given`;

export const RENEW_CLOCK = `update clock_seen set at = to_timestamp($1 / 1000.0)`;
