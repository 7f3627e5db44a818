import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import {
  migrate,
  openStore,
  startEmbeddedPostgres,
  type DatabaseAddress,
  type DatabaseAddresses,
  type Store,
} from '#persistence';
import { guardAgainstLeftServer } from './left-server-guard.js';
import { makeScratchFolder } from './scratch-folder.js';

/** A database of a test file's own, migrated, with the application's stores over it. */
export interface TestDatabase {
  readonly addresses: DatabaseAddresses;
  /** as the application */
  readonly store: Store;
  /** as the schema's owner, to look at rows and to move the clock */
  readonly owner: pg.Pool;
  /**
   * Lets time go by: `app_now()` is so many milliseconds ahead of the real time from here on, and a hub has seen its clock
   * all along. It stays there for all tests that follow.
   */
  moveClock(aheadMs: number): Promise<void>;
  /** Sets the clock, or lets the machine sleep: nobody saw how `app_now()` got to where it is now. */
  stepClock(aheadMs: number): Promise<void>;
  /** Restarts PostgreSQL; undefined where it is not ours to restart. */
  restart: (() => Promise<void>) | undefined;
  /** Copies the whole data folder; what it gives puts the copy back. Undefined where the server is not ours to stop. */
  backUp: (() => Promise<() => Promise<void>>) | undefined;
  remove(): Promise<void>;
}

interface Server {
  readonly addresses: DatabaseAddresses;
  readonly restart: (() => Promise<void>) | undefined;
  readonly backUp: TestDatabase['backUp'];
  stop(): Promise<void>;
}

/**
 * A fresh database: on the server that `TEST_DATABASE_URL` names (its role must be able to make databases and roles), or
 * else on an embedded PostgreSQL of its own, of npm's or of the installation in `TEST_POSTGRES` (such as
 * `/usr/lib/postgresql/15`).
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  const server = await (url === undefined ? startOwnServer() : makeDatabaseOn(url));
  try {
    return await openOn(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function openOn(server: Server): Promise<TestDatabase> {
  await migrate(server.addresses);
  const store = await openStore({ address: server.addresses.app });
  const owner = poolOf(server.addresses.owner);
  return {
    addresses: server.addresses,
    store,
    owner,
    moveClock: (aheadMs) => moveClock(owner, { aheadMs, seen: true }),
    stepClock: (aheadMs) => moveClock(owner, { aheadMs, seen: false }),
    restart: server.restart,
    backUp: server.backUp,
    async remove() {
      await store.close();
      await owner.end();
      await server.stop();
    },
  };
}

/** The row of the seen clock is held meanwhile, so that no hub's look comes in between. */
async function moveClock(
  owner: pg.Pool,
  { aheadMs, seen }: { readonly aheadMs: number; readonly seen: boolean },
): Promise<void> {
  const client = await owner.connect();
  try {
    await client.query('begin');
    await client.query('select from clock_seen for update');
    await client.query(`update clock set shift = $1 * interval '1 millisecond'`, [aheadMs]);
    if (seen) await client.query('update clock_seen set at = app_now()');
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** A small pool of a test's own, quiet when PostgreSQL stops. */
export function poolOf(address: DatabaseAddress, max = 2): pg.Pool {
  const config = 'url' in address ? { connectionString: address.url } : { ...address };
  const pool = new pg.Pool({ ...config, max });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

async function startOwnServer(): Promise<Server> {
  const scratch = await makeScratchFolder();
  guardAgainstLeftServer(scratch.path);
  const installation = process.env['TEST_POSTGRES'];
  const start = () =>
    startEmbeddedPostgres({
      home: scratch.path,
      durable: false,
      ...(installation === undefined ? {} : { installation }),
    });
  let running = await start();
  return {
    addresses: { owner: running.owner, app: running.app },
    async restart() {
      await running.stop();
      running = await start();
    },
    async backUp() {
      const copy = await makeScratchFolder();
      const kept = path.join(copy.path, 'data');
      await running.stop();
      await cp(scratch.path, kept, { recursive: true });
      running = await start();
      return async () => {
        await running.stop();
        await rm(scratch.path, { recursive: true });
        await cp(kept, scratch.path, { recursive: true });
        await copy.remove();
        running = await start();
      };
    },
    async stop() {
      await running.stop();
      await scratch.remove();
    },
  };
}

async function makeDatabaseOn(url: string): Promise<Server> {
  const name = `coxswain_test_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  const admin = poolOf({ url }, 1);
  await admin.query(`create role ${name} login password '${password}'`);
  await admin.query(`create database ${name}`);
  const owner = new URL(url);
  owner.pathname = `/${name}`;
  const app = new URL(owner);
  app.username = name;
  app.password = password;
  return {
    addresses: { owner: { url: owner.href }, app: { url: app.href } },
    restart: undefined,
    backUp: undefined,
    async stop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    },
  };
}
