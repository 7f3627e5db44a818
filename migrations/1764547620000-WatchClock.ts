import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * C7: time in which nobody could answer does not run against the person. `clock_seen` says when a hub last saw the
 * database's clock; while that is over a minute ago (the machine slept, the clock was set, the database or every hub was
 * away), `slept_past(deadline)` says of a deadline that it passed in between. It is VOLATILE, so that a statement that
 * had to wait sees the hub's look of meanwhile.
 */
export class WatchClock1764547620000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Written every few seconds: room on its page for the next version.
    await runner.query(`
      create table clock_seen (
        only_row boolean primary key default true check (only_row),
        at timestamptz not null default app_now()
      ) with (fillfactor = 10)`);
    await runner.query('insert into clock_seen default values');
    await runner.query(`
      create function slept_past(deadline timestamptz) returns boolean language sql volatile as
      $$ select app_now() - at > interval '1 minute' and deadline > at from clock_seen $$`);
    // When the hub gave a request more time by itself, and none where it never did.
    await runner.query('alter table request add column time_given_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request drop column time_given_at');
    await runner.query('drop function slept_past(timestamptz)');
    await runner.query('drop table clock_seen');
  }
}
