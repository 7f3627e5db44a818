import {
  ConversationWrites,
  StoreUnavailable,
  type Committed,
  type Write,
  type WriteResult,
} from '#domain';
import type pg from 'pg';
import type { ConversationId, HubRun, RequestId } from '#contracts';
import { unavailableOr } from '../unavailable.js';
import { classifyFault } from './database-fault.js';
import { DUE, NEXT_DEADLINE } from './deadline-queries.js';
import { GroupCommit, type Outcome } from './group-commit.js';
import { beginWithDrafts } from './load-drafts.js';
import { conversationOfWrite, planWrite, type PlannedWrite } from './plan-write.js';
import { storeAndCommit } from './store-drafts.js';
import { watchClock } from './watch-clock.js';
import { findUnstorable, textLength } from './unstorable.js';

/** How many times a flush is made again when another transaction was in the way. */
const ATTEMPTS = 5;
/** A relay's messages are up to 256 KB each: 4 million characters are a statement that PostgreSQL takes in its stride. */
const LIMITS = { batch: 400, queue: 1_000, weight: 4_000_000 };

/** Told of each flush: how many writes, how long, and whether all, some or none of them were stored. */
export type OnFlush = (flush: {
  readonly writes: number;
  readonly seconds: number;
  readonly outcome: 'stored' | 'some-failed' | 'failed';
}) => void;

export interface WriteOptions {
  /** The mark of this life of the hub (link rule 10). */
  readonly run: HubRun;
  /** told of each transaction */
  readonly onFlush?: OnFlush | undefined;
  /** told when a flush failed so that nobody can say whether it was committed */
  readonly onDoubt?: (() => void) | undefined;
}

/**
 * The one batcher of a hub. A flush is one transaction: it locks the heads of the conversations concerned in the order of
 * their ids, reads what the writes need to see, lets the domain plan them in the order in which they came, and stores
 * the outcome with set-based statements that check for themselves what the plan rests on. Nothing outside is awaited
 * between begin and commit.
 */
export class PgConversationWrites extends ConversationWrites {
  private readonly commits: GroupCommit<PlannedWrite, WriteResult>;

  /**
   * @param pool used for one flush at a time, and for the two questions about deadlines
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly options: WriteOptions,
  ) {
    super();
    this.commits = new GroupCommit((writes) => this.timed(writes), LIMITS);
  }

  async write(write: Write): Promise<WriteResult> {
    const at = findUnstorable(write);
    if (at !== undefined) {
      const reason = `${at} holds U+0000 or half of a surrogate pair, which can't be stored.`;
      return { ok: false, refusal: { code: 'UNSTORABLE', reason } };
    }
    return this.commits.add(write, textLength(write));
  }

  async watchClock(): Promise<number | undefined> {
    try {
      return await this.onConnection(watchClock);
    } catch (error) {
      throw unavailableOr(error);
    }
  }

  async expireDue(
    limit: number,
    closed: (committed: Committed) => void = () => undefined,
  ): Promise<readonly Committed[]> {
    const due = await this.ask<{ id: RequestId; conversationId: ConversationId }>(DUE, [limit]);
    const expiries = due.map(async ({ id, conversationId }) => {
      const result = await this.commits.add({ kind: 'expire', conversationId, requestId: id });
      if (result.ok) closed(result.committed);
      return result;
    });
    // All of them, before one that failed is told of.
    await Promise.allSettled(expiries);
    const results = await Promise.all(expiries);
    return results.flatMap((result) => (result.ok ? [result.committed] : []));
  }

  async nextDeadlineIn(): Promise<number | undefined> {
    const [next] = await this.ask<{ ms: number }>(NEXT_DEADLINE, []);
    return next?.ms;
  }

  /** Resolves when everything that was written so far is committed or refused. */
  drain(): Promise<void> {
    return this.commits.drain();
  }

  private async timed(writes: readonly PlannedWrite[]): Promise<readonly Outcome<WriteResult>[]> {
    const began = performance.now();
    const outcomes = await this.flush(writes);
    const failed = outcomes.filter(({ ok }) => !ok).length;
    this.options.onFlush?.({
      writes: writes.length,
      seconds: (performance.now() - began) / 1000,
      outcome: failed === 0 ? 'stored' : failed < writes.length ? 'some-failed' : 'failed',
    });
    return outcomes;
  }

  private async flush(writes: readonly PlannedWrite[]): Promise<readonly Outcome<WriteResult>[]> {
    try {
      const results = await this.commitTogether(writes);
      return results.map((result) => ({ ok: true, result }));
    } catch (error) {
      const fault = classifyFault(error);
      if (fault.kind === 'unavailable') {
        this.options.onDoubt?.();
        return writes.map(() => ({ ok: false, error: new StoreUnavailable({ cause: error }) }));
      }
      if (writes.length > 1) return this.flushSingly(writes);
      if (fault.kind === 'refused') {
        const refusal = { code: 'UNSTORABLE', reason: fault.reason } as const;
        return [{ ok: true, result: { ok: false, refusal } }];
      }
      return [{ ok: false, error }];
    }
  }

  /** One bad write must not hurt the others: each has a transaction of its own then. */
  private async flushSingly(
    writes: readonly PlannedWrite[],
  ): Promise<readonly Outcome<WriteResult>[]> {
    const outcomes: Outcome<WriteResult>[] = [];
    for (const write of writes) outcomes.push(...(await this.flush([write])));
    return outcomes;
  }

  private async commitTogether(writes: readonly PlannedWrite[]): Promise<WriteResult[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction(writes);
      } catch (error) {
        if (classifyFault(error).kind !== 'conflict' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private transaction(writes: readonly PlannedWrite[]): Promise<WriteResult[]> {
    return this.onConnection(async (client) => {
      const drafts = await beginWithDrafts(client, writes);
      const results = writes.map((write) =>
        planWrite(drafts.get(conversationOfWrite(write)), write),
      );
      await storeAndCommit(client, [...drafts.values()], this.options.run);
      return results;
    });
  }

  /** Does a transaction's work on one connection; what it leaves open is rolled back. */
  private async onConnection<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      await client.query('rollback').catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      // A connection that can't even roll back is not given to the next flush.
      client.release(broken);
    }
  }

  private async ask<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(text, values)).rows;
    } catch (error) {
      throw unavailableOr(error);
    }
  }
}
