import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `as_planned(held, what)`: ends the transaction where a statement did not find what its flush had planned on. The commit
 * can then be sent together with the statements: PostgreSQL itself refuses it. The error is a serialization failure
 * (SQLSTATE 40001), which says "do it again".
 */
export class CreateAsPlanned1764547560000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function as_planned(held boolean, what text) returns boolean language plpgsql as $$
      begin
        if held is not true then
          raise exception 'the database found % otherwise than planned', what using errcode = '40001';
        end if;
        return true;
      end $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function as_planned(boolean, text)');
  }
}
