import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that run agents. A relay is its key; what it said of itself last is kept for when it is away. */
export class CreateRelays1764547320000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table relay (
        id uuid primary key,
        name text not null,
        public_key text not null unique,
        version text not null default '',
        providers jsonb not null default '[]',
        created_at timestamptz not null default app_now(),
        last_seen_at timestamptz not null default app_now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table relay');
  }
}
