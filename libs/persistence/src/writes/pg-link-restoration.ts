import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type HubRun, Incarnation, Instant, type Actor, type ConversationId } from '#contracts';
import {
  LinkRestoration,
  type Contradictions,
  type Incarnations,
  type KnownToRelay,
  type Mending,
} from '#domain';
import type pg from 'pg';
import { auditColumns } from './audit-columns.js';
import {
  BEGIN_AGAIN,
  FIRST_INCARNATION,
  GO_ON_BEHIND,
  INCARNATIONS,
  LOCK_HEADS_TO_MEND,
  LOCK_INCARNATION,
  MODES_FALL,
  NOTE,
  REUSED,
  RUNS_TO_HAND_OUT,
  SET_INCARNATION,
  UNKNOWN,
  VOID_LINKS,
  VOID_SESSIONS,
} from './restoration-statements.js';
import { INSERT_AUDIT } from './statements.js';

const HUB: Actor = { principal: { kind: 'hub' }, name: 'hub' };
/** Incarnations that are remembered: a relay that was away for longer counts as from another one. */
const MOST_EARLIER = 50;

const Stored = z.object({
  current: Incarnation,
  earlier: z.array(Incarnation),
  restoredAt: Instant.optional(),
});

/** What each affected conversation says of it. */
const NOTICE = JSON.stringify({
  kind: 'notice',
  severity: 'warning',
  code: 'hub-restored',
  text: 'The hub’s database was put back to an older state. What this machine still has of what came after follows.',
  params: {},
});

/** Link rule 10 in PostgreSQL. */
export class PgLinkRestoration extends LinkRestoration {
  /** @param pool connections of which one is used for a mending */
  constructor(
    private readonly pool: pg.Pool,
    readonly run: HubRun,
  ) {
    super();
  }

  async incarnations(): Promise<Incarnations> {
    const { rows } = await this.pool.query<{ value: string }>(INCARNATIONS);
    if (rows[0] !== undefined) return read(rows[0].value);
    const first: Incarnations = { current: newIncarnation(), earlier: [] };
    await this.pool.query(FIRST_INCARNATION, [JSON.stringify(first)]);
    return this.incarnations();
  }

  async contradictions(of: {
    readonly relayId: Mending['relayId'];
    readonly known: readonly KnownToRelay[];
    readonly runs: readonly HubRun[];
  }): Promise<Contradictions> {
    const ids = of.known.map(({ conversationId }) => conversationId);
    const [reused, unknown] = await Promise.all([
      this.pool.query<{ id: ConversationId }>(REUSED, [of.relayId, ...places(of.known), of.runs]),
      this.pool.query<{ id: ConversationId }>(UNKNOWN, [ids]),
    ]);
    return {
      reused: reused.rows.map(({ id }) => id),
      unknown: unknown.rows.map(({ id }) => id),
    };
  }

  async runsToHandOut(relayId: Mending['relayId'], most: number): Promise<HubRun[]> {
    const { rows } = await this.pool.query<{ run: HubRun }>(RUNS_TO_HAND_OUT, [relayId, most]);
    return rows.map(({ run }) => run);
  }

  async mend(mending: Mending): Promise<Incarnations> {
    await this.incarnations();
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('begin');
      const incarnations = await mendWithin(client, mending, this.run);
      await client.query('commit');
      return incarnations;
    } catch (error) {
      await client.query('rollback').catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      client.release(broken);
    }
  }
}

async function mendWithin(
  client: pg.ClientBase,
  mending: Mending,
  run: HubRun,
): Promise<Incarnations> {
  const before = await lockIncarnation(client);
  // Of two relays that come at once with the same news, one begins the new incarnation.
  const begins = mending.begins && before.current === mending.seen;
  const { ahead, lost, relayId, runs } = mending;
  const affected = [...ahead, ...lost].map(({ conversationId }) => conversationId);
  await client.query(LOCK_HEADS_TO_MEND, [begins ? null : affected]);
  if (ahead.length > 0) await client.query(GO_ON_BEHIND, [relayId, ...places(ahead), runs]);
  if (lost.length > 0) await beginAgain(client, mending);
  if (affected.length > 0) await client.query(NOTE, [affected, NOTICE]);
  const fallen = await modesFall(client, mending, {
    run,
    of: begins ? null : lost.map(({ conversationId }) => conversationId),
  });
  return begins ? beginIncarnation(client, { before, fallen, mending }) : before;
}

async function lockIncarnation(client: pg.ClientBase): Promise<Incarnations> {
  const { rows } = await client.query<{ value: string }>(LOCK_INCARNATION);
  if (rows[0] === undefined) throw new Error('the database has no incarnation');
  return read(rows[0].value);
}

async function beginAgain(client: pg.ClientBase, { relayId, lost }: Mending): Promise<void> {
  const sessions = lost.map(({ session }) => session);
  await client.query(BEGIN_AGAIN, [
    relayId,
    ...places(lost),
    sessions.map(({ provider }) => provider),
    sessions.map(({ engine }) => engine ?? null),
    sessions.map(({ model }) => model ?? null),
    sessions.map(({ folder }) => folder),
    sessions.map(({ mode }) => mode),
    sessions.map(({ modeVersion }) => modeVersion),
    JSON.stringify(HUB),
  ]);
}

async function modesFall(
  client: pg.ClientBase,
  { modes }: Mending,
  { run, of }: { readonly run: HubRun; readonly of: readonly ConversationId[] | null },
): Promise<number> {
  const { rows } = await client.query<{ fallen: number }>(MODES_FALL, [
    of,
    modes.map(({ relayId }) => relayId),
    modes.map(({ provider }) => provider),
    modes.map(({ mode }) => mode),
    JSON.stringify(HUB),
    run,
  ]);
  return rows[0]?.fallen ?? 0;
}

async function beginIncarnation(
  client: pg.ClientBase,
  of: { readonly before: Incarnations; readonly fallen: number; readonly mending: Mending },
): Promise<Incarnations> {
  const { before, fallen, mending } = of;
  const { rows } = await client.query<{ now: number }>('select app_now() as now');
  const next: Incarnations = {
    current: newIncarnation(),
    earlier: [before.current, ...before.earlier].slice(0, MOST_EARLIER),
    restoredAt: rows[0]?.now ?? 0,
  };
  await client.query(SET_INCARNATION, [JSON.stringify(next)]);
  await client.query(VOID_LINKS);
  await client.query(VOID_SESSIONS, [randomBytes(32).toString('base64url')]);
  const body = {
    relayId: mending.relayId,
    incarnation: next.current,
    conversations: mending.conversations,
    modesFallen: fallen,
  };
  await client.query(INSERT_AUDIT, auditColumns([{ by: HUB, action: 'hub-restored', body }]));
  return next;
}

const places = (known: readonly KnownToRelay[]): [string[], number[], number[]] => [
  known.map(({ conversationId }) => conversationId),
  known.map(({ epoch }) => epoch),
  known.map(({ received }) => received),
];

const newIncarnation = (): Incarnation => Incarnation.parse(randomUUID());

function read(value: string): Incarnations {
  const { restoredAt, ...stored } = Stored.parse(JSON.parse(value));
  return { ...stored, ...(restoredAt === undefined ? {} : { restoredAt }) };
}
