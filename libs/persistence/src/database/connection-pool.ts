import { Socket } from 'node:net';
import pg from 'pg';
import type { DatabaseAddress } from './database-address.js';

/** Told about connections that were lost while nobody used them; the pool makes new ones by itself. */
export type OnConnectionLost = (error: Error) => void;

/** PostgreSQL's `timestamptz` as milliseconds since 1970, which is what {@link Instant} is. */
const TIMESTAMPTZ = 1184;
/** Counts fit into a double; `pg` gives them as text otherwise. */
const INT8 = 20;

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === TIMESTAMPTZ) return (value: string) => new Date(value).getTime();
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

/**
 * Sends in one piece what `pg` writes in one turn of the event loop: it corks and uncorks around each statement, and a
 * write to the kernel for each of them was the largest cost of a flush. Without effect under TLS, which `pg` puts on top.
 */
class OncePerTurn extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/**
 * Pipelined statements are the few named ones of a flush, over and over. Each has one plan for good: making a plan for
 * the very arrays of each flush took longer than most of them run, and each rests on its indexes with either plan.
 */
const PIPELINED = {
  pipeline: true,
  stream: () => new OncePerTurn(),
  options: '-c plan_cache_mode=force_generic_plan',
} satisfies pg.PoolConfig;

/** A pool of connections that survives a restart of PostgreSQL. */
export function createPool(options: {
  readonly address: DatabaseAddress;
  readonly max: number;
  readonly onConnectionLost?: OnConnectionLost;
  /** whether statements are sent without waiting for the results of those before them */
  readonly pipeline?: boolean;
}): pg.Pool {
  const { address, max } = options;
  const pool = new pg.Pool({
    ...connectionOptions(address),
    max,
    ...(options.pipeline === true && PIPELINED),
    types,
    application_name: 'coxswain',
    // Statements here take milliseconds; one that hangs must not hold the locks of a flush.
    statement_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
  });
  const onConnectionLost = options.onConnectionLost ?? (() => undefined);
  // Without a listener, PostgreSQL's stopping would end this process: the pool's own is for idle connections, the
  // one on each connection for the moments between two statements of a transaction.
  pool.on('error', onConnectionLost);
  pool.on('connect', (client) => client.on('error', onConnectionLost));
  return pool;
}

/** An address as `pg` wants it. */
export function connectionOptions(address: DatabaseAddress): pg.ClientConfig {
  return 'url' in address ? { connectionString: address.url } : { ...address };
}
