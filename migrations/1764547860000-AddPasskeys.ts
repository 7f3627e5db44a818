import type { MigrationInterface, QueryRunner } from 'typeorm';

/** S1: passkeys of people, and which decisions need one. Removed ones stay, so that the audit log can be verified. */
export class AddPasskeys1764547860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table passkey (
        id uuid primary key,
        person_id uuid not null references person,
        name text not null,
        rp_id text not null,
        credential_id text not null unique,
        -- COSE key, base64url.
        public_key text not null,
        transports jsonb not null,
        counter bigint not null,
        synced boolean not null,
        created_at timestamptz not null default app_now(),
        last_used_at timestamptz,
        suspended_at timestamptz,
        removed_at timestamptz
      )`);
    await runner.query('create index passkey_of_person on passkey (person_id, created_at)');
    await runner.query(`
      create table passkey_requirement (
        person_id uuid primary key references person,
        requirement text not null check (requirement in ('off', 'approvals', 'all'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table passkey_requirement');
    await runner.query('drop table passkey');
  }
}
