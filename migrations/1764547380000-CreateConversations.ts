import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Conversations with what hangs on their numbering: the narrow head that every write locks (in the order of ids), the
 * event log, the queue of messages and the outbox to the relay.
 */
export class CreateConversations1764547380000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createConversation(runner);
    await createHead(runner);
    await createEvent(runner);
    await createQueuedMessage(runner);
    await createOutbox(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [
      'outbox',
      'queued_message',
      'event',
      'conversation_head',
      'conversation',
    ]) {
      await runner.query(`drop table ${table}`);
    }
  }
}

async function createConversation(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table conversation (
      id uuid primary key,
      person_id uuid not null references person,
      relay_id uuid not null references relay,
      provider text not null,
      engine text,
      model text,
      folder text not null,
      title text not null,
      mode text not null check (mode in ('autopilot', 'ask', 'plan')),
      mode_version int not null default 1,
      mode_acknowledged int not null default 0,
      process text not null default 'none'
        check (process in ('none', 'starting', 'live', 'asleep', 'gone')),
      turn text not null default 'none'
        check (turn in ('none', 'due', 'running', 'done', 'interrupted', 'failed')),
      failure jsonb,
      -- The client's own name of the session, to resume it by.
      session_ref text,
      -- P13: its agent has no question tool and asks in its reply.
      replies_in_text boolean not null default false,
      open_cards int not null default 0,
      waiting_since timestamptz,
      queued int not null default 0,
      last_line text not null default '',
      last_event_at timestamptz not null,
      created_at timestamptz not null,
      archived_at timestamptz,
      deleted_at timestamptz
    ) with (fillfactor = 70)`);
  await runner.query(`
    create index conversation_on_board on conversation (person_id, last_event_at desc, id desc)
    where deleted_at is null and archived_at is null`);
  await runner.query(`
    create index conversation_in_archive on conversation (person_id, last_event_at desc, id desc)
    where deleted_at is null and archived_at is not null`);
  await runner.query(
    'create index conversation_by_age on conversation (person_id, created_at desc) include (folder)',
  );
}

async function createHead(runner: QueryRunner): Promise<void> {
  // Written with every event: half of each page is left free, so that the new row version stays on it.
  await runner.query(`
    create table conversation_head (
      conversation_id uuid primary key references conversation,
      -- The first day of the month in which the conversation began: the leading part of its events' key.
      month date not null,
      relay_id uuid not null references relay,
      -- Counts the assignments to a relay; a relay's write with another one is refused.
      epoch int not null,
      last_event_n int not null,
      -- The relay's last message that is committed, in this epoch.
      received_n int not null,
      -- The last message handed out to the relay, in this epoch.
      sent_n int not null,
      last_queue_n int not null,
      -- Grows with each change that devices see.
      version int not null
    ) with (fillfactor = 50)`);
  await runner.query('create index conversation_head_of_relay on conversation_head (relay_id)');
}

async function createEvent(runner: QueryRunner): Promise<void> {
  // No foreign key: the locked head proves the conversation, and a check for each event would cost a third.
  await runner.query(`
    create table event (
      month date not null,
      conversation_id uuid not null,
      n int not null,
      at timestamptz not null,
      body jsonb not null,
      primary key (month, conversation_id, n)
    )`);
}

async function createQueuedMessage(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table queued_message (
      -- Made by the device that sends it, so that a retry is the same message.
      id uuid primary key,
      conversation_id uuid not null references conversation,
      n int not null,
      -- Null once it is no longer in the queue: from then on it stands in the log.
      text text,
      at timestamptz not null,
      status text not null check (status in ('queued', 'handed', 'picked-up', 'cancelled'))
    )`);
  await runner.query(`
    create index queued_message_waiting on queued_message (conversation_id, n) where status = 'queued'`);
}

async function createOutbox(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table outbox (
      conversation_id uuid not null references conversation,
      epoch int not null,
      n int not null,
      relay_id uuid not null,
      message jsonb not null,
      primary key (conversation_id, epoch, n)
    )`);
  await runner.query('create index outbox_of_relay on outbox (relay_id, conversation_id)');
}
