import { z } from 'zod';
import { readEmbeddedConnection, type EmbeddedConnection } from '../embedded/index.js';

/** Where a database is and as whom to work with it: a URL of one's own, or the embedded one's socket. */
export type DatabaseAddress = EmbeddedConnection | { readonly url: string };

/** The two ways into a database. They are the same where there is one role only. */
export interface DatabaseAddresses {
  /** owns the schema; runs the migrations */
  readonly owner: DatabaseAddress;
  /** what the hub works with */
  readonly app: DatabaseAddress;
}

const PostgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://');
const Environment = z.object({
  DATABASE_URL: PostgresUrl.optional(),
  /** The schema's owner, where the migrations are to run under another role than the application. */
  DATABASE_OWNER_URL: PostgresUrl.optional(),
});

/** Whether the environment names a PostgreSQL of one's own, so that the embedded one is not needed. */
export function usesOwnDatabase(environment: NodeJS.ProcessEnv): boolean {
  return (environment['DATABASE_URL'] ?? '') !== '';
}

/**
 * Where the database is: `DATABASE_URL` (with `DATABASE_OWNER_URL` for the migrations where another role owns the schema),
 * or else the embedded PostgreSQL of this home.
 *
 * @throws Error naming the variable that is wrong; EmbeddedPostgresError where the embedded one was never started
 */
export async function findDatabase(options: {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}): Promise<DatabaseAddresses> {
  const { home, environment } = options;
  if (usesOwnDatabase(environment)) return ownDatabase(environment);
  const [owner, app] = await Promise.all([
    readEmbeddedConnection(home, 'owner'),
    readEmbeddedConnection(home, 'app'),
  ]);
  return { owner, app };
}

function ownDatabase(environment: NodeJS.ProcessEnv): DatabaseAddresses {
  const parsed = Environment.safeParse({
    DATABASE_URL: environment['DATABASE_URL'],
    DATABASE_OWNER_URL: environment['DATABASE_OWNER_URL'] || undefined,
  });
  if (!parsed.success || parsed.data.DATABASE_URL === undefined) {
    // The value itself is left out: it holds a password.
    const wrong = parsed.error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new Error(wrong?.join('; ') ?? 'DATABASE_URL is missing');
  }
  const { DATABASE_URL, DATABASE_OWNER_URL } = parsed.data;
  return { owner: { url: DATABASE_OWNER_URL ?? DATABASE_URL }, app: { url: DATABASE_URL } };
}
