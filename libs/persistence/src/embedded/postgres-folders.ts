import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { RunAs } from './run-as.js';

/** User and group of a file. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where the embedded PostgreSQL keeps what it has, all below the home folder wherever that is possible. */
export interface PostgresFolders {
  /** `<home>/postgres`, 0700 */
  readonly base: string;
  /** `<home>/postgres/data`: the data folder or a symbolic link to it */
  readonly dataEntry: string;
  /** the data folder itself; where there is none yet, where it would be */
  readonly data: string;
  readonly dataExists: boolean;
  /** of the data folder, or of the home that it will be made in */
  readonly owner: Owner;
  readonly homeOwner: Owner;
}

/** PostgreSQL's name for its socket in a folder; the port is only a part of the name, nothing listens on it. */
const SOCKET_NAME = '.s.PGSQL.5432';
/** `sockaddr_un` holds 104 bytes on macOS and 108 on Linux, with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 99;
/** Where data goes that neither root (no user namespaces) nor anybody else can run from root's own home. */
const SHARED_PLACE = '/var/lib/coxswain-postgres';

/** Makes the home (0700) and looks at what is there already. */
export async function inspectFolders(home: string): Promise<PostgresFolders> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const homeOwner = await ownerOf(home);
  await closeToOthers(home);
  const base = path.join(home, 'postgres');
  await makePrivate(base, homeOwner);
  const dataEntry = path.join(base, 'data');
  const data = await realpath(dataEntry).catch(() => undefined);
  if (data === undefined) {
    return { base, dataEntry, data: dataEntry, dataExists: false, owner: homeOwner, homeOwner };
  }
  return { base, dataEntry, data, dataExists: true, owner: await ownerOf(data), homeOwner };
}

/**
 * The folders once it is known as whom PostgreSQL runs: a data folder that is yet to be made, and that this user
 * could not reach below root's home, gets a place of its own with a link to it.
 */
export async function placeDataFolder(
  folders: PostgresFolders,
  runAs: RunAs,
): Promise<PostgresFolders> {
  if (runAs.kind !== 'user' || folders.dataExists || runAs.uid === folders.homeOwner.uid)
    return folders;
  const place = path.join(SHARED_PLACE, shortHash(folders.base));
  await mkdir(SHARED_PLACE, { recursive: true, mode: 0o711 });
  await makePrivate(place, runAs);
  const data = path.join(place, 'data');
  await symlink(data, folders.dataEntry).catch(async (error: NodeJS.ErrnoException) => {
    const left = await lstat(folders.dataEntry);
    if (error.code !== 'EEXIST' || !left.isSymbolicLink()) throw error;
  });
  return { ...folders, data, owner: { uid: runAs.uid, gid: runAs.gid } };
}

/**
 * What to do about the data folder: use it, or make it.
 *
 * @throws EmbeddedPostgresError NOT_A_DATA_FOLDER, WRONG_VERSION
 */
export async function checkDataFolder(
  data: string,
  major: number,
): Promise<'ready' | 'to be made'> {
  const entries = await readdir(data).catch(() => []);
  if (entries.length === 0) return 'to be made';
  const version = await readFile(path.join(data, 'PG_VERSION'), 'utf8').catch(() => undefined);
  if (version === undefined) {
    throw new EmbeddedPostgresError(
      'NOT_A_DATA_FOLDER',
      `${data} is not empty and holds no PostgreSQL database (there is no PG_VERSION in it). ` +
        'Move it away, or point COXSWAIN_HOME to another folder.',
    );
  }
  if (Number.parseInt(version, 10) !== major) {
    throw new EmbeddedPostgresError(
      'WRONG_VERSION',
      `The database in ${data} was made by PostgreSQL ${version.trim()}, and this Coxswain brings PostgreSQL ${major}. ` +
        `Start the Coxswain that made it, or take its data over with pg_dump and pg_restore of PostgreSQL ${major}.`,
    );
  }
  await chmod(data, 0o700);
  return 'ready';
}

/**
 * The folder of the Unix socket, 0700. It stands beside the data; where that path is too long for a socket address,
 * in `/tmp` under a name that only depends on the data's place.
 *
 * @throws EmbeddedPostgresError UNSAFE_FOLDER where somebody else has put something in its place
 */
export async function prepareSocketFolder(folders: PostgresFolders): Promise<string> {
  const beside =
    path.dirname(folders.data) === folders.base || folders.owner.uid === folders.homeOwner.uid
      ? path.join(folders.base, 'socket')
      : path.join(path.dirname(folders.data), 'socket');
  const folder = fitsSocketAddress(beside)
    ? beside
    : path.join('/tmp', `coxswain-${shortHash(folders.data)}`);
  await makePrivate(folder, folders.owner);
  return folder;
}

/** Whether a socket of PostgreSQL's in this folder has an address that the system can hold. */
export function fitsSocketAddress(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
}

/** The socket and its lock file, which a server that was killed leaves behind. */
export function socketFiles(folder: string): string[] {
  return [path.join(folder, SOCKET_NAME), path.join(folder, `${SOCKET_NAME}.lock`)];
}

/** Whether a user may walk to a path: every folder on the way lets it in. */
export async function canReach(target: string, owner: Owner): Promise<boolean> {
  for (let at = path.resolve(target); at !== path.dirname(at); at = path.dirname(at)) {
    const { uid, gid, mode } = await stat(at);
    const needed = uid === owner.uid ? 0o100 : gid === owner.gid ? 0o010 : 0o001;
    if ((mode & needed) === 0) return false;
  }
  return true;
}

/** The place beside the data for a copy of the binaries that the data's owner can reach. */
export function binariesCopyFolder(folders: PostgresFolders): string {
  return path.join(path.dirname(folders.data), 'binaries');
}

/** Makes a folder 0700 for its owner, or checks that the one that is there is just that. */
export async function makePrivate(folder: string, owner: Owner): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (found.isDirectory() && found.uid !== owner.uid && process.getuid?.() === 0) {
    await chown(folder, owner.uid, owner.gid);
  } else if (!found.isDirectory() || found.uid !== owner.uid) {
    throw new EmbeddedPostgresError(
      'UNSAFE_FOLDER',
      `${folder} must be a folder of user ${owner.uid}'s own, and it is not (it belongs to user ${found.uid}). Remove it and start again.`,
    );
  }
  await chmod(folder, 0o700);
}

async function closeToOthers(home: string): Promise<void> {
  const { mode } = await stat(home);
  if ((mode & 0o077) !== 0) await chmod(home, 0o700);
}

async function ownerOf(file: string): Promise<Owner> {
  const { uid, gid } = await stat(file);
  return { uid, gid };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
