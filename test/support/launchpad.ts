import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#persistence';
import { guardAgainstLeftServer } from './left-server-guard.js';
import { makeScratchFolder } from './scratch-folder.js';
import { startTypeScript, type TypeScriptProcess } from './typescript-process.js';

/** The user without rights that every Unix has. */
export const NOBODY = { uid: 65534, gid: 65534 };

/** How {@link Launchpad.hold} starts the embedded PostgreSQL. */
export interface HoldOptions {
  readonly user?: typeof NOBODY;
  readonly rootStrategy?: 'user';
  readonly installation?: string;
}

/** A home for the embedded PostgreSQL of one test, and all that the test has started in it. */
export interface Launchpad {
  readonly home: string;
  start(
    home?: string,
    more?: { readonly durable?: boolean; readonly readyWithinMs?: number },
  ): Promise<EmbeddedPostgres>;
  /** Starts it from a process of its own, which then can be killed. */
  hold(options?: HoldOptions): TypeScriptProcess;
  /** Starts a program that has nothing to do with it. */
  bystander(): TypeScriptProcess;
  /** Ends what still runs and takes the home away. */
  clear(): Promise<void>;
}

/** Makes an empty home. */
export async function makeLaunchpad(): Promise<Launchpad> {
  const scratch = await makeScratchFolder();
  guardAgainstLeftServer(scratch.path);
  const servers: EmbeddedPostgres[] = [];
  const processes: TypeScriptProcess[] = [];
  const run = (program: string, options: object, user?: typeof NOBODY): TypeScriptProcess => {
    const args = [JSON.stringify(options)];
    const started = startTypeScript({ program, args, ...(user === undefined ? {} : { user }) });
    processes.push(started);
    return started;
  };
  return {
    home: scratch.path,
    async start(home = scratch.path, more = {}) {
      const server = await startEmbeddedPostgres({ home, durable: false, ...more });
      servers.push(server);
      return server;
    },
    hold: ({ user, ...options } = {}) =>
      run('support/programs/hold-postgres.ts', { home: scratch.path, ...options }, user),
    bystander: () => run('support/programs/stand-by.ts', {}),
    async clear() {
      await Promise.all(processes.map((held) => held.kill('SIGTERM')));
      await Promise.all(servers.map((server) => server.stop()));
      await scratch.remove();
    },
  };
}

/** Asks one question over a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
  config: pg.ClientConfig,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
