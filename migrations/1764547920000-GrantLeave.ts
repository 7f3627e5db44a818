import type { MigrationInterface, QueryRunner } from 'typeorm';

/** M3: leave that a person gave for the rest of a conversation; a few short commands with who gave them. */
export class GrantLeave1764547920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table conversation add column grants jsonb not null default '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table conversation drop column grants');
  }
}
