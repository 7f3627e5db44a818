import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The one clock that decides (C7): `app_now()`, in whole milliseconds. It moves within a transaction as
 * `clock_timestamp()` does, hence VOLATILE: a settlement that waited for a lock is checked at the time when it got it.
 * Where an index is to be used, write `(select app_now())`, which is asked once a statement.
 *
 * Tests move it by the one row of `clock`, which only the owner's role can write.
 */
export class CreateClock1764547200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table clock (
        only_row boolean primary key default true check (only_row),
        shift interval not null
      )`);
    await runner.query(`insert into clock (shift) values (interval '0')`);
    await runner.query(`
      create function app_now() returns timestamptz language sql volatile as
      $$ select date_trunc('milliseconds', clock_timestamp() + (select shift from clock)) $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function app_now()');
    await runner.query('drop table clock');
  }
}
