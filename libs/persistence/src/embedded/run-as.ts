import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const run = promisify(execFile);

/**
 * As whom PostgreSQL runs. It refuses to run as root, so a root that starts it either becomes somebody else inside
 * a user namespace (files stay root's, nothing needs to be moved) or really is somebody else (`user`).
 */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'user-namespace'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

/** How a root may start PostgreSQL: `auto` prefers the user namespace and falls back on another user. */
export type RootStrategy = 'auto' | 'user-namespace' | 'user';

/** What the choice of {@link chooseRunAs} rests on. */
export interface RunAsFacts {
  /** of this process */
  readonly ownUid: number;
  /** of the data folder, or of the folder that it will be made in */
  readonly owner: { readonly uid: number; readonly gid: number };
  readonly dataFolder: string;
  readonly dataFolderExists: boolean;
  readonly userNamespacesWork: boolean;
  /** whether the system knows a name for the user of this process */
  readonly ownAccount: boolean;
  readonly accounts: readonly Account[];
}

/** A line of `/etc/passwd`. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that a fallback may run PostgreSQL as, best first: one that no agent is started under. */
const UNPRIVILEGED = ['postgres', 'daemon', 'nobody'] as const;
/** Files of users that a namespace does not know show as this user's inside it, which would blind owner checks. */
const OVERFLOW_UID = 65534;

/**
 * Chooses by the owner of the data folder.
 *
 * @throws EmbeddedPostgresError WRONG_OWNER, NO_ACCOUNT, NO_USER_TO_RUN_AS with what to do about it
 */
export function chooseRunAs(facts: RunAsFacts): RunAs {
  const { ownUid, owner, userNamespacesWork } = facts;
  if (ownUid !== 0) {
    if (owner.uid !== ownUid) throw wrongOwner(facts);
    if (!facts.dataFolderExists && !facts.ownAccount) throw noAccount(facts);
    return { kind: 'self' };
  }
  if (owner.uid !== 0) return { kind: 'user', ...owner };
  if (userNamespacesWork) return { kind: 'user-namespace', ...namespaceAccount(facts.accounts) };
  if (facts.dataFolderExists) throw rootOwnedWithoutNamespaces(facts);
  return { kind: 'user', ...unprivilegedAccount(facts.accounts) };
}

/** Whether this system lets root start a program as another user of a namespace of its own. */
export async function userNamespacesWork(accounts: readonly Account[]): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const [command, ...args] = namespaceCommand(namespaceAccount(accounts));
  return run(command, [...args, 'true']).then(
    () => true,
    () => false,
  );
}

/** Whether this process runs as a user that the system has a name for, wherever it keeps its accounts. */
export function hasOwnAccount(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** The local accounts; empty where there is no `/etc/passwd`. */
export async function readAccounts(): Promise<Account[]> {
  const raw = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return raw
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(({ uid, gid }) => Number.isInteger(uid) && Number.isInteger(gid));
}

/** Starts a program as chosen. In a user namespace the process id is the program's own: `unshare` becomes it. */
export function spawnAs(
  runAs: RunAs,
  [command, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
): ChildProcess {
  switch (runAs.kind) {
    case 'self':
      return spawn(command, args, options);
    case 'user':
      return spawn(command, args, { ...options, uid: runAs.uid, gid: runAs.gid });
    case 'user-namespace': {
      const [unshare, ...flags] = namespaceCommand(runAs);
      return spawn(unshare, [...flags, command, ...args], options);
    }
  }
}

function namespaceCommand(account: { uid: number; gid: number }): [string, ...string[]] {
  return ['unshare', '-U', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--'];
}

/** initdb wants the user that it runs as to have an account, so the namespace borrows the number of one. */
function namespaceAccount(accounts: readonly Account[]): { uid: number; gid: number } {
  const found = accounts.find(({ uid }) => uid !== 0 && uid !== OVERFLOW_UID);
  return found === undefined ? { uid: 1000, gid: 1000 } : { uid: found.uid, gid: found.gid };
}

function unprivilegedAccount(accounts: readonly Account[]): { uid: number; gid: number } {
  for (const name of UNPRIVILEGED) {
    const found = accounts.find((account) => account.name === name && account.uid !== 0);
    if (found !== undefined) return { uid: found.uid, gid: found.gid };
  }
  throw new EmbeddedPostgresError(
    'NO_USER_TO_RUN_AS',
    'PostgreSQL does not run as root, this system denies user namespaces, and it has no account "postgres", "daemon" ' +
      'or "nobody" to run it as. Start Coxswain as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function noAccount({ ownUid }: RunAsFacts): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'NO_ACCOUNT',
    `This system has no account for user ${ownUid}, and PostgreSQL makes its database only for a user with a name. ` +
      `Start Coxswain as one that has an account, give this one a name (in a container: useradd --uid ${ownUid} coxswain), ` +
      'or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

function wrongOwner({ ownUid, owner, dataFolder }: RunAsFacts): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'WRONG_OWNER',
    `The database folder ${dataFolder} belongs to user ${owner.uid}, and Coxswain was started by user ${ownUid}. ` +
      `Start it as user ${owner.uid}, or hand the folder over with: sudo chown -R ${ownUid} ${dataFolder}`,
  );
}

function rootOwnedWithoutNamespaces({ dataFolder, accounts }: RunAsFacts): EmbeddedPostgresError {
  const { uid, gid } = unprivilegedAccount(accounts);
  return new EmbeddedPostgresError(
    'NO_USER_TO_RUN_AS',
    `The database folder ${dataFolder} belongs to root, PostgreSQL does not run as root, and this system denies user ` +
      'namespaces. Allow them (sysctl user.max_user_namespaces), or move the folder to a place that every user may enter, ' +
      `leave a symbolic link to it behind and hand it over with: chown -R ${uid}:${gid} FOLDER`,
  );
}
