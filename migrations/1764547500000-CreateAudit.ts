import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was decided by whom (S4). The application's role can insert and read, no more. The trigger stops the owner's role
 * too (it is the application's where one role does both), though an owner can take it away: a guard against
 * mistakes, not against malice.
 */
export class CreateAudit1764547500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit (
        id bigint generated always as identity primary key,
        at timestamptz not null default app_now(),
        actor jsonb not null,
        action text not null,
        conversation_id uuid,
        card_id uuid,
        body jsonb not null,
        signature text
      )`);
    await runner.query('create index audit_of_conversation on audit (conversation_id, id)');
    await runner.query(`
      create function refuse_to_change_audit() returns trigger language plpgsql as
      $$ begin raise exception 'the audit log is only ever added to' using errcode = '42501'; end $$`);
    await runner.query(`
      create trigger audit_is_only_added_to before update or delete or truncate on audit
      for each statement execute function refuse_to_change_audit()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table audit');
    await runner.query('drop function refuse_to_change_audit()');
  }
}
