import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits for a decision: a request for each tool call that waits, a card for each question in it (C6). */
export class CreateRequests1764547440000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createRequest(runner);
    await runner.query(`
      create table card (
        id uuid primary key,
        request_id uuid not null references request,
        position int not null,
        -- C15: an answer names it.
        version int not null default 1,
        body jsonb not null,
        status text not null default 'open'
          check (status in ('open', 'answered', 'skipped', 'expired', 'cancelled', 'lost')),
        answer jsonb,
        settled_by jsonb,
        settled_at timestamptz,
        unique (request_id, position),
        check ((status = 'open') = (settled_by is null)),
        check ((status = 'open') = (settled_at is null)),
        check ((status = 'answered') = (answer is not null))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table card');
    await runner.query('drop table request');
  }
}

async function createRequest(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table request (
      id uuid primary key,
      conversation_id uuid not null references conversation,
      person_id uuid not null references person,
      tool_call_id text not null,
      turn_id uuid,
      -- SHA-256 of the questions in their one form (C12).
      canonical_hash text not null,
      status text not null check (status in ('open', 'closed')),
      outcome text check (outcome in ('answered', 'skipped', 'expired', 'cancelled', 'lost')),
      opened_at timestamptz not null,
      deadline_at timestamptz not null,
      deadline_ours boolean not null,
      detached boolean not null default false,
      delivery text not null default 'none'
        check (delivery in ('none', 'pending', 'handed', 'sent', 'delivered', 'superseded')),
      possible_repeat boolean not null default false,
      asked_by text,
      version int not null default 1,
      unique (conversation_id, tool_call_id),
      check ((status = 'open') = (outcome is null))
    )`);
  // For the sweep and for the inbox, which has the same order.
  await runner.query(`create index request_due on request (deadline_at) where status = 'open'`);
  await runner.query(`
    create index request_unsettled on request (conversation_id)
    where status = 'open' or delivery in ('pending', 'handed')`);
}
