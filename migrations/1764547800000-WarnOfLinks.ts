import type { MigrationInterface, QueryRunner } from 'typeorm';

/** S1: that a spent link was used again, until a person has seen it. */
export class WarnOfLinks1764547800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sign_in_link
        add column used_again_at timestamptz,
        -- The name that whoever used it gave.
        add column used_again_by text`);
    await runner.query(`
      create index sign_in_link_used_again on sign_in_link (person_id, used_again_at)
        where used_again_at is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index sign_in_link_used_again');
    await runner.query(
      'alter table sign_in_link drop column used_again_at, drop column used_again_by',
    );
  }
}
