import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People, their devices (each a key of its own), the one-time links that let a device in, and the hub's settings. */
export class CreatePeople1764547260000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table person (
        id uuid primary key,
        -- One owner for now (true for one row at most); more people need no other schema.
        is_owner boolean unique check (is_owner),
        created_at timestamptz not null default app_now()
      )`);
    await runner.query(`
      create table device (
        id uuid primary key,
        person_id uuid not null references person,
        name text not null,
        public_key jsonb not null,
        created_at timestamptz not null default app_now(),
        last_seen_at timestamptz not null default app_now(),
        revoked_at timestamptz
      )`);
    await runner.query('create index device_of_person on device (person_id, created_at)');
    await runner.query(`
      create table sign_in_link (
        secret_hash text primary key,
        person_id uuid not null references person,
        purpose text not null check (purpose in ('first', 'pair')),
        created_at timestamptz not null default app_now(),
        expires_at timestamptz not null,
        spent_at timestamptz,
        -- The device that spent it; its row is made after this one, so that a link that is spent can't be spent again.
        spent_by uuid
      )`);
    await runner.query('create table setting (name text primary key, value text not null)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['setting', 'sign_in_link', 'device', 'person']) {
      await runner.query(`drop table ${table}`);
    }
  }
}
