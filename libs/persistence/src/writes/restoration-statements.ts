/** $1 relay, $2 to $4 conversations with epoch and how much of the hub's the relay has, $5 runs that the relay knows. */
export const REUSED = `
  select distinct o.conversation_id as id
  from unnest($2::uuid[], $3::int[], $4::int[]) as t (id, epoch, received)
  join outbox o on o.relay_id = $1 and o.conversation_id = t.id and o.epoch = t.epoch
    and o.n <= t.received
  where o.run <> '' and cardinality($5::text[]) > 0 and o.run <> all($5::text[])`;

/** $1 relay, $2 how many. */
export const RUNS_TO_HAND_OUT = `
  select distinct run from outbox where relay_id = $1 and run <> '' limit $2`;

/** $1 conversations. */
export const UNKNOWN = `
  select t.id from unnest($1::uuid[]) as t (id)
  where not exists (select from conversation c where c.id = t.id)`;

export const INCARNATIONS = `select value from setting where name = 'incarnation'`;
export const FIRST_INCARNATION = `
  insert into setting (name, value) values ('incarnation', $1) on conflict do nothing`;
export const LOCK_INCARNATION = `${INCARNATIONS} for update`;
export const SET_INCARNATION = `update setting set value = $1 where name = 'incarnation'`;

/** $1 conversations, or null for all. In the order of ids, as every flush locks them. */
export const LOCK_HEADS_TO_MEND = `
  select from conversation_head where $1::uuid[] is null or conversation_id = any($1::uuid[])
  order by conversation_id for update`;

/**
 * $1 to $5 as of {@link REUSED}. The hub goes on behind what the relay has. What it handed out since it was put back moves
 * there, in its order: it may have got numbers that the relay has with something else in them.
 */
export const GO_ON_BEHIND = `
  with fresh as (
    select o.conversation_id, o.epoch, o.n,
      row_number() over (partition by o.conversation_id order by o.n)::int as place
    from unnest($2::uuid[], $3::int[], $4::int[]) as t (id, epoch, received)
    join outbox o on o.relay_id = $1 and o.conversation_id = t.id and o.epoch = t.epoch
    where o.run <> '' and cardinality($5::text[]) > 0 and o.run <> all($5::text[])
  ), counted as (
    select t.id, t.epoch, t.received, count(f.n)::int as fresh, min(f.n) - 1 as before_fresh
    from unnest($2::uuid[], $3::int[], $4::int[]) as t (id, epoch, received)
    left join fresh f on f.conversation_id = t.id and f.epoch = t.epoch
    group by t.id, t.epoch, t.received
  ), heads as (
    update conversation_head h set
      remembers_n = least(h.remembers_n, coalesce(c.before_fresh, h.sent_n)),
      sent_n = greatest(h.sent_n, c.received) + c.fresh
    from counted c
    where h.conversation_id = c.id and h.epoch = c.epoch and h.relay_id = $1
    returning h.conversation_id, h.epoch, h.sent_n - c.fresh as behind
  )
  update outbox o set n = h.behind + f.place
  from fresh f join heads h on h.conversation_id = f.conversation_id and h.epoch = f.epoch
  where o.conversation_id = f.conversation_id and o.epoch = f.epoch and o.n = f.n`;

/**
 * $1 relay, $2 to $4 as of {@link REUSED}, $5 to $10 what each runs, $11 the actor: conversations that began after the
 * backup was made, for the relay to fill.
 */
export const BEGIN_AGAIN = `
  with lost as (
    select * from unnest($2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::int[])
    as t (id, epoch, received, provider, engine, model, folder, mode, mode_version)
  ), made as (
    insert into conversation (id, person_id, relay_id, provider, engine, model, folder, title, mode,
      mode_version, created_at, last_event_at)
    select id, (select id from person where is_owner), $1, provider, engine, model, folder,
      left(coalesce(nullif(substring(folder from '[^/\\\\]+[/\\\\]*$'), ''), folder), 200), mode,
      mode_version, app_now(), app_now() from lost
    on conflict do nothing returning id
  ), heads as (
    insert into conversation_head (conversation_id, month, relay_id, epoch, last_event_n, received_n,
      sent_n, last_queue_n, version, remembers_n)
    select id, date_trunc('month', app_now() at time zone 'UTC')::date, $1, epoch, 1, 0, received, 0,
      1, 0
    from lost where id in (select id from made)
    returning conversation_id, month
  )
  insert into event (month, conversation_id, n, at, body)
  select h.month, l.id, 1, app_now(), jsonb_build_object('kind', 'conversation-created',
    'provider', l.provider, 'folder', l.folder, 'mode', l.mode, 'by', $11::jsonb)
  from heads h join lost l on l.id = h.conversation_id`;

/** $1 conversations, $2 the event. */
export const NOTE = `
  with heads as (
    update conversation_head set last_event_n = last_event_n + 1, version = version + 1
    where conversation_id = any($1::uuid[]) returning conversation_id, month, last_event_n
  )
  insert into event (month, conversation_id, n, at, body)
  select month, conversation_id, last_event_n, app_now(), $2::jsonb from heads`;

/**
 * $1 conversations or null for all, $2 to $4 the strictest mode of each provider on each relay, $5 the actor, $6 the run:
 * modes fall, which is logged and handed out to the relays.
 */
export const MODES_FALL = `
  with strictest as (
    select * from unnest($2::uuid[], $3::text[], $4::text[]) as s (relay_id, provider, mode)
  ), fallen as (
    update conversation c set mode = s.mode, mode_version = c.mode_version + 1
    from strictest s
    where c.relay_id = s.relay_id and c.provider = s.provider and c.mode <> s.mode
      and c.deleted_at is null and ($1::uuid[] is null or c.id = any($1::uuid[]))
    returning c.id, c.mode, c.mode_version
  ), heads as (
    update conversation_head h set last_event_n = h.last_event_n + 1, sent_n = h.sent_n + 1,
      version = h.version + 1
    from fallen f where h.conversation_id = f.id
    returning h.conversation_id, h.month, h.relay_id, h.epoch, h.last_event_n, h.sent_n, f.mode,
      f.mode_version
  ), logged as (
    insert into event (month, conversation_id, n, at, body)
    select month, conversation_id, last_event_n, app_now(), jsonb_build_object(
      'kind', 'mode-changed', 'mode', mode, 'version', mode_version, 'by', $5::jsonb) from heads
  ), told as (
    insert into outbox (conversation_id, epoch, n, relay_id, message, run)
    select conversation_id, epoch, sent_n, relay_id, jsonb_build_object(
      'kind', 'set-mode', 'mode', mode, 'modeVersion', mode_version), $6 from heads
  )
  select count(*)::int as fallen from heads`;

export const VOID_LINKS = `
  update sign_in_link set expires_at = app_now() where spent_at is null and expires_at > app_now()`;
/** $1 another key: every access token that was signed with the one before is void. */
export const VOID_SESSIONS = `update setting set value = $1 where name = 'access-token-key'`;
