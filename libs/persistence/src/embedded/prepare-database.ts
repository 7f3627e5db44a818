import pg from 'pg';
import { EMBEDDED_ROLES, type Passwords } from './passwords.js';

/** The one database of the embedded PostgreSQL. */
export const EMBEDDED_DATABASE = 'coxswain';

/**
 * Makes what is missing of roles and database. The application's role can connect and nothing else: what it may do with
 * which table is granted with the migrations.
 */
export async function prepareDatabase(socketFolder: string, passwords: Passwords): Promise<void> {
  const server = {
    host: socketFolder,
    port: 5432,
    user: EMBEDDED_ROLES.admin,
    password: passwords.admin,
  };
  await withClient({ ...server, database: 'postgres' }, async (client) => {
    await ensureRole(client, EMBEDDED_ROLES.owner, passwords.owner);
    await ensureRole(client, EMBEDDED_ROLES.app, passwords.app);
    await ensureDatabase(client);
  });
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount !== 0) return;
  await client.query(
    `create role ${client.escapeIdentifier(role)} login nosuperuser nocreatedb nocreaterole password ${client.escapeLiteral(password)}`,
  );
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
    EMBEDDED_DATABASE,
  ]);
  if (rowCount !== 0) return;
  const database = client.escapeIdentifier(EMBEDDED_DATABASE);
  await client.query(
    `create database ${database} owner ${client.escapeIdentifier(EMBEDDED_ROLES.owner)}`,
  );
  await client.query(`revoke all on database ${database} from public`);
  await client.query(
    `grant connect on database ${database} to ${client.escapeIdentifier(EMBEDDED_ROLES.app)}`,
  );
}

async function withClient(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
