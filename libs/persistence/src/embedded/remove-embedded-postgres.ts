import { rm } from 'node:fs/promises';
import path from 'node:path';
import { stopLeftBehind } from './left-behind.js';
import { inspectFolders } from './postgres-folders.js';

/**
 * Removes the embedded PostgreSQL of a home with all its data. A server that a killed run left behind is stopped before:
 * it would go on in the removed folder, and end the next one's when it notices.
 *
 * @throws EmbeddedPostgresError IN_USE where the process that started it is still alive
 */
export async function removeEmbeddedPostgres(home: string): Promise<void> {
  const { base, data } = await inspectFolders(path.resolve(home));
  await stopLeftBehind({ dataFolder: data, recordFile: path.join(base, 'server.json') });
  for (const folder of [data, base]) await rm(folder, { recursive: true, force: true });
}
