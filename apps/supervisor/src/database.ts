import {
  findDatabase,
  startEmbeddedPostgres,
  usesOwnDatabase,
  type DatabaseAddresses,
  type EmbeddedPostgres,
} from '#persistence';
import { setTimeout as delay } from 'node:timers/promises';
import { inWords } from './plain-words.js';
import { SettingsError } from './settings.js';
import type { ProcessEnd } from './supervised-child.js';

/** The PostgreSQL of this run. */
export interface Database {
  /** Resolves once it takes connections. */
  start(): Promise<DatabaseAddresses>;
  stop(): Promise<void>;
}

/** What the supervisor wants to hear of the embedded PostgreSQL. */
export interface DatabaseEvents {
  died(end: ProcessEnd): void;
  /** It could not be started again; it is tried again. */
  failed(error: unknown): void;
}

/** How long to wait before the next try where PostgreSQL does not start again, in milliseconds. */
const NEXT_TRY_MS = 5_000;

/** The embedded PostgreSQL, started again when it dies; hub and `pg` reconnect to the same socket by themselves. */
class EmbeddedDatabase implements Database {
  readonly #home: string;
  readonly #events: DatabaseEvents;
  #running: EmbeddedPostgres | undefined;
  #starting: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(home: string, events: DatabaseEvents) {
    this.#home = home;
    this.#events = events;
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** @throws EmbeddedPostgresError with what to do, in plain words */
  start(): Promise<DatabaseAddresses> {
    const starting = this.#startOnce();
    this.#starting = starting.catch(() => undefined);
    return starting;
  }

  async #startOnce(): Promise<DatabaseAddresses> {
    const running = await startEmbeddedPostgres({ home: this.#home });
    this.#running = running;
    void running.exited.then((end) => this.#afterEnd(end));
    return { owner: running.owner, app: running.app };
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#starting;
    await this.#running?.stop();
  }

  async #afterEnd(end: ProcessEnd): Promise<void> {
    this.#running = undefined;
    if (this.#stopping) return;
    this.#events.died(end);
    while (!this.#stopping && this.#running === undefined) {
      try {
        await this.start();
      } catch (error) {
        this.#events.failed(error);
        await delay(NEXT_TRY_MS, undefined, { ref: false });
      }
    }
  }
}

/** The database of this run: the person's own where the environment names one, else the embedded one of this home. */
export function databaseOf(home: string, events: DatabaseEvents): Database {
  if (!usesOwnDatabase(process.env)) return new EmbeddedDatabase(home, events);
  // Nothing to start, nothing to stop.
  return {
    start: () =>
      findDatabase({ home, environment: process.env }).catch((cause: unknown) => {
        throw new SettingsError(inWords(cause), { cause });
      }),
    stop: () => Promise.resolve(),
  };
}
