import pg from 'pg';
import { connectionOptions } from './connection-pool.js';
import { createDataSource } from './data-source.js';
import type { DatabaseAddress, DatabaseAddresses } from './database-address.js';
import { grantToApplication } from './grants.js';

/** The oldest PostgreSQL that Coxswain is tested on. */
const OLDEST_MAJOR = 15;
/** Any number that nothing else in the database locks: of two hubs that start at once, one migrates. */
const MIGRATION_LOCK = 7_031_564;

/**
 * Brings the schema up to date and gives the application's role its rights. Does nothing where nothing is to do.
 *
 * @returns the names of the migrations that were applied
 * @throws Error where PostgreSQL is older than 15
 */
export async function migrate(
  addresses: DatabaseAddresses,
  onProgress: (step: string) => void = () => undefined,
): Promise<readonly string[]> {
  const lock = new pg.Client(connectionOptions(addresses.owner));
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await refuseOldPostgres(lock);
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await runMigrations(addresses.owner, onProgress);
    await grantToApplication(lock, await roleOf(addresses.app));
    return applied;
  } finally {
    await lock.end();
  }
}

async function runMigrations(
  owner: DatabaseAddress,
  onProgress: (step: string) => void,
): Promise<string[]> {
  const dataSource = await createDataSource(owner).initialize();
  try {
    if (!(await dataSource.showMigrations())) return [];
    onProgress('Bringing the database up to date');
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

async function refuseOldPostgres(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const version = rows[0]?.version ?? '0';
  if (Number.parseInt(version, 10) >= OLDEST_MAJOR) return;
  throw new Error(
    `The database is PostgreSQL ${version}; Coxswain needs ${OLDEST_MAJOR} or later. ` +
      'Point DATABASE_URL to a newer one, or leave it out to use the embedded one.',
  );
}

async function roleOf(address: DatabaseAddress): Promise<string> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>('select current_user as role');
    return rows[0]?.role ?? '';
  } finally {
    await client.end();
  }
}
