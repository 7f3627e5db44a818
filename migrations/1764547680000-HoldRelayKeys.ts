import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Link rule 7: a relay holds its key together with a token that is new at each attach. Only hashes are kept; without one
 * the next that proves the key is taken.
 */
export class HoldRelayKeys1764547680000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table relay add column token_hash text,
        -- Given out and not confirmed yet; the one before is good as well until it is.
        add column next_token_hash text,
        -- Number of the last one that was given out.
        add column tokens_issued int not null default 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table relay drop column token_hash, drop column next_token_hash, drop column tokens_issued',
    );
  }
}
