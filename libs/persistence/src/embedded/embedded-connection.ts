import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { EMBEDDED_ROLES, requirePassword, writePrivateFile } from './passwords.js';
import type { PostgresFolders } from './postgres-folders.js';
import { EMBEDDED_DATABASE } from './prepare-database.js';

/** What `pg` needs to connect; `host` is the folder of the socket. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** `<home>/postgres/connection.json`: where the server listens. It holds no secret. */
const ConnectionFile = z.object({ socketFolder: z.string() });

/** The connection of a role over the socket in a folder. */
export function connectionOf(
  role: 'owner' | 'app',
  socketFolder: string,
  password: string,
): EmbeddedConnection {
  return {
    host: socketFolder,
    port: 5432,
    user: EMBEDDED_ROLES[role],
    password,
    database: EMBEDDED_DATABASE,
  };
}

/** Writes down where the server listens, for the processes beside the one that started it. */
export async function saveConnection(
  folders: PostgresFolders,
  socketFolder: string,
): Promise<void> {
  const text = JSON.stringify({ socketFolder } satisfies z.infer<typeof ConnectionFile>);
  await writePrivateFile(path.join(folders.base, 'connection.json'), text, folders.homeOwner);
}

/**
 * How another process of the same home (the hub, `npm run migrate`) reaches the embedded PostgreSQL, running or not.
 * The password comes from its file, so that it stands in no environment and no address.
 *
 * @throws EmbeddedPostgresError START_FAILED where none was ever started in this home, PASSWORD_LOST
 */
export async function readEmbeddedConnection(
  home: string,
  role: 'owner' | 'app',
): Promise<EmbeddedConnection> {
  const base = path.join(path.resolve(home), 'postgres');
  const raw = await readFile(path.join(base, 'connection.json'), 'utf8').catch((cause: unknown) => {
    throw new EmbeddedPostgresError(
      'START_FAILED',
      `No PostgreSQL has been started in ${base} yet. Start Coxswain first, or set DATABASE_URL.`,
      { cause },
    );
  });
  const { socketFolder } = ConnectionFile.parse(JSON.parse(raw));
  return connectionOf(role, socketFolder, await requirePassword(base, role));
}
