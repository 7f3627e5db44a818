import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Link rule 10: what tells a database that was put back to an older state. Each message for a relay carries the mark of the
 * hub's process that handed it out, so that a number that was given out a second time can be told from the first.
 */
export class RememberRuns1764547740000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table outbox add column run text not null default ''`);
    // The last number of the hub's own that its database remembers; what it said after that is to be told back.
    await runner.query('alter table conversation_head add column remembers_n int');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table conversation_head drop column remembers_n');
    await runner.query('alter table outbox drop column run');
  }
}
