import { rm } from 'node:fs/promises';
import path from 'node:path';
import { saveConnection, connectionOf, type EmbeddedConnection } from './embedded-connection.js';
import { launchServer, type ServerEnd } from './launch-server.js';
import { stopLeftBehind, stopServer } from './left-behind.js';
import { makeCluster } from './make-cluster.js';
import { readPasswords } from './passwords.js';
import {
  copyBinaries,
  describeBinaries,
  prepareNpmBinaries,
  type PostgresBinaries,
} from './postgres-binaries.js';
import {
  binariesCopyFolder,
  canReach,
  checkDataFolder,
  inspectFolders,
  placeDataFolder,
  prepareSocketFolder,
  type PostgresFolders,
} from './postgres-folders.js';
import { prepareDatabase } from './prepare-database.js';
import {
  chooseRunAs,
  hasOwnAccount,
  readAccounts,
  userNamespacesWork,
  type RootStrategy,
  type RunAs,
} from './run-as.js';

/** Where the start writes what is worth keeping; a pino logger fits. */
export interface StartLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

/** What {@link startEmbeddedPostgres} needs. */
export interface EmbeddedPostgresOptions {
  /** the folder of everything, absolute (`COXSWAIN_HOME`); the database lives in `<home>/postgres` */
  readonly home: string;
  /** told before each step that may take longer than a moment, in words for the terminal */
  readonly onProgress?: (step: string) => void;
  readonly log?: StartLog;
  /** how a root starts it; `auto` by default */
  readonly rootStrategy?: RootStrategy;
  /** another installation than npm's, e.g. `/usr/lib/postgresql/15` */
  readonly installation?: string;
  /** false only for tests: quicker, and a power cut loses the database */
  readonly durable?: boolean;
  /** how long the server may take until it accepts connections, in milliseconds; two minutes by default */
  readonly readyWithinMs?: number;
}

/** A running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  readonly owner: EmbeddedConnection;
  readonly app: EmbeddedConnection;
  readonly pid: number;
  /** e.g. `18.4` */
  readonly version: string;
  readonly runAs: RunAs['kind'];
  /** resolves when the server has ended, wanted or not */
  readonly exited: Promise<ServerEnd>;
  /** smart, then fast, then immediate; resolves when it is gone */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm brought, over its data in `<home>/postgres`, and makes data folder, roles and database
 * where they are missing. A server that a killed hub left behind is stopped first.
 *
 * It listens on a Unix socket in a folder that only its owner can enter, never on a port, and asks for passwords
 * (SCRAM) all the same: agents that run under the same user can open the socket, but only the files
 * `<home>/postgres/*.password` (0600) let anybody in, and those can be hidden from agents (a mount namespace, another
 * user) where the socket's folder can't be told apart. Peer authentication would let every process of the user in.
 *
 * @throws EmbeddedPostgresError with what to do, in plain words
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const progress = options.onProgress ?? (() => undefined);
  const durable = options.durable ?? true;
  const found = await inspectFolders(path.resolve(options.home));
  const runAs = await decideRunAs(found, options.rootStrategy ?? 'auto');
  const folders = await placeDataFolder(found, runAs);
  const binaries = await prepareBinaries({ options, folders, runAs });
  const recordFile = path.join(folders.base, 'server.json');
  const state = await checkDataFolder(folders.data, binaries.major);
  if (await stopLeftBehind({ dataFolder: folders.data, recordFile })) {
    options.log?.warn(
      { dataFolder: folders.data },
      'stopped a PostgreSQL that an earlier run had left behind',
    );
  }
  if (state === 'to be made') {
    progress('Making the database folder');
    await makeCluster({ folders, binaries, runAs, durable });
  }
  progress(`Starting PostgreSQL ${binaries.version}`);
  const { readyWithinMs } = options;
  return launch({
    ...{ folders, binaries, runAs, durable, recordFile },
    ...(readyWithinMs === undefined ? {} : { readyWithinMs }),
  });
}

interface Prepared {
  readonly folders: PostgresFolders;
  readonly binaries: PostgresBinaries;
  readonly runAs: RunAs;
  readonly durable: boolean;
  readonly recordFile: string;
  readonly readyWithinMs?: number;
}

async function launch({
  folders,
  binaries,
  runAs,
  durable,
  recordFile,
  ...waiting
}: Prepared): Promise<EmbeddedPostgres> {
  const passwords = await readPasswords(folders.base);
  const socketFolder = await prepareSocketFolder(folders);
  const server = await launchServer({
    binaries,
    runAs,
    settings: { dataFolder: folders.data, socketFolder, major: binaries.major, durable },
    logFile: path.join(folders.base, 'server.log'),
    recordFile,
    homeOwner: folders.homeOwner,
    ...waiting,
  });
  const stop = async (): Promise<void> => {
    await stopServer(server.identity);
    await rm(recordFile, { force: true });
    await rm(socketFolder, { recursive: true, force: true });
  };
  try {
    await prepareDatabase(socketFolder, passwords);
    await saveConnection(folders, socketFolder);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    owner: connectionOf('owner', socketFolder, passwords.owner),
    app: connectionOf('app', socketFolder, passwords.app),
    pid: server.identity.pid,
    version: binaries.version,
    runAs: runAs.kind,
    exited: server.exited,
    stop,
  };
}

async function decideRunAs(folders: PostgresFolders, strategy: RootStrategy): Promise<RunAs> {
  const ownUid = process.getuid?.() ?? -1;
  const accounts = await readAccounts();
  const asksForNamespace = ownUid === 0 && folders.owner.uid === 0 && strategy !== 'user';
  return chooseRunAs({
    ownUid,
    owner: folders.owner,
    dataFolder: folders.data,
    dataFolderExists: folders.dataExists,
    userNamespacesWork: asksForNamespace && (await userNamespacesWork(accounts)),
    ownAccount: hasOwnAccount(),
    accounts,
  });
}

async function prepareBinaries(request: {
  readonly options: EmbeddedPostgresOptions;
  readonly folders: PostgresFolders;
  readonly runAs: RunAs;
}): Promise<PostgresBinaries> {
  const { options, folders, runAs } = request;
  const copyFolder = binariesCopyFolder(folders);
  const binaries =
    options.installation === undefined
      ? await prepareNpmBinaries(copyFolder)
      : await describeBinaries(options.installation);
  if (runAs.kind !== 'user' || (await canReach(binaries.postgres, runAs))) return binaries;
  options.onProgress?.('Copying PostgreSQL to where its user can reach it');
  return copyBinaries(binaries, copyFolder);
}
