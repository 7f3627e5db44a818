import { removeEmbeddedPostgres } from '#persistence';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeHomeFolders } from './home-folder.js';
import { lockHome } from './home-lock.js';

/** What of a home is kept: the installed clients, for they are large, and the lock that is held. */
const KEPT = /^(?:clients|supervisor\.lock.*)$/;

/**
 * Empties a home, such as the demo's. What a killed run left running there is stopped first: the records of it go too.
 *
 * @param stopChildren stops what the relay has written down as its children, in the relay's folder
 * @throws HomeInUseError
 */
export async function beginAfresh(
  home: string,
  stopChildren: (relayFolder: string) => Promise<unknown>,
): Promise<void> {
  const folders = await makeHomeFolders(home);
  const lock = await lockHome(folders.home);
  try {
    await stopChildren(folders.relay);
    await removeEmbeddedPostgres(folders.home);
    const old = (await readdir(folders.home)).filter((name) => !KEPT.test(name));
    for (const name of old) await rm(path.join(folders.home, name), { recursive: true });
  } finally {
    await lock.release();
  }
}
