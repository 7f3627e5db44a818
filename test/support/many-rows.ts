import type pg from 'pg';

/** How much a database of some years holds, scaled down to what is quick to make. */
export interface ManyRows {
  readonly conversations: number;
  readonly eventsEach: number;
  /** every so-manieth conversation has an open request */
  readonly openEvery: number;
}

/** An id that is the same in every run: table and number. */
export function seededId(table: number, n: number | string): string {
  return `0000000${table}-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

const id = (table: number): string =>
  `('0000000${table}-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid`;

/** Fills every table that grows, past the store, and brings the planner's statistics up to date. */
export async function seedManyRows(owner: pg.Pool, rows: ManyRows): Promise<void> {
  const { conversations, eventsEach, openEvery } = rows;
  const each = `from generate_series(1, ${conversations}) i`;
  await owner.query(`insert into person (id) values ('${seededId(1, 1)}')`);
  await owner.query(
    `insert into relay (id, name, public_key) values ('${seededId(2, 1)}', 'seeded', 'seeded')`,
  );
  await owner.query(`
    insert into conversation (id, person_id, relay_id, provider, folder, title, mode, created_at,
      last_event_at, archived_at)
    select ${id(3)}, '${seededId(1, 1)}', '${seededId(2, 1)}', 'scripted', '/project/' || i % 40,
      'Conversation ' || i, 'autopilot', app_now() - i * interval '1 minute',
      app_now() - i * interval '1 minute', case when i % 5 = 0 then app_now() end ${each}`);
  await owner.query(`
    insert into conversation_head (conversation_id, month, relay_id, epoch, last_event_n, received_n,
      sent_n, last_queue_n, version)
    select ${id(3)}, '2026-12-01', '${seededId(2, 1)}', 1, ${eventsEach}, ${eventsEach}, 1, 1, 1 ${each}`);
  await owner.query(`
    insert into event (month, conversation_id, n, at, body)
    select '2026-12-01', ${id(3)}, n, app_now(),
      '{"kind": "notice", "severity": "info", "code": "seeded", "params": {}, "text": "x"}'
    ${each}, generate_series(1, ${eventsEach}) n`);
  await owner.query(`
    insert into request (id, conversation_id, person_id, tool_call_id, canonical_hash, status, outcome,
      opened_at, deadline_at, deadline_ours, delivery)
    select ${id(4)}, ${id(3)}, '${seededId(1, 1)}', 'toolu_' || i, 'hash',
      case when i % ${openEvery} = 0 then 'open' else 'closed' end,
      case when i % ${openEvery} = 0 then null else 'skipped' end,
      app_now(), app_now() + i * interval '1 minute', true,
      case when i % ${openEvery} = 0 then 'none' else 'delivered' end ${each}`);
  await owner.query(`
    insert into card (id, request_id, position, body, status, settled_by, settled_at)
    select ${id(5)}, ${id(4)}, 0,
      '{"kind": "question", "question": "Which?", "options": [], "allowsSeveral": false}',
      case when i % ${openEvery} = 0 then 'open' else 'skipped' end,
      case when i % ${openEvery} = 0 then null else '{}'::jsonb end,
      case when i % ${openEvery} = 0 then null else app_now() end ${each}`);
  await owner.query(`
    insert into queued_message (id, conversation_id, n, at, status)
    select ${id(6)}, ${id(3)}, 1, app_now(), 'picked-up' ${each}`);
  await owner.query(`
    insert into outbox (conversation_id, epoch, n, relay_id, message)
    select ${id(3)}, 1, 1, ('00000002-0000-4000-8000-' || lpad((i % 500)::text, 12, '0'))::uuid,
      '{"kind": "interrupt"}' ${each}`);
  await owner.query('vacuum analyze');
}
