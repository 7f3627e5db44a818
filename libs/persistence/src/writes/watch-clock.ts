import type { Actor } from '#contracts';
import { ranUnseen, TIME_GIVEN_MS, type ClockReading } from '#domain';
import type pg from 'pg';
import { auditColumns } from './audit-columns.js';
import {
  GIVE_TIME,
  LOCK_CLOCK,
  LOCK_HEADS_TO_GIVE_TIME,
  READ_CLOCK,
  RENEW_CLOCK,
  SEE_CLOCK,
} from './clock-queries.js';
import { INSERT_AUDIT } from './statements.js';

const HUB: Actor = { principal: { kind: 'hub' }, name: 'hub' };

/**
 * C7: writes down that the database's clock was seen. Where it ran on unseen, or was set, by over a minute, every
 * request whose deadline passed meanwhile or is near gets its ten minutes in the same transaction, so that nothing can
 * be closed between the two.
 *
 * @returns how many requests were given time; undefined where the clock went on as a clock does
 */
export async function watchClock(client: pg.ClientBase): Promise<number | undefined> {
  const seen = await client.query(SEE_CLOCK);
  if (seen.rows.length > 0) return undefined;
  await client.query('begin');
  await client.query(LOCK_CLOCK);
  const clock = await readClock(client);
  const given = ranUnseen(clock) ? await giveTime(client, clock) : undefined;
  await client.query(RENEW_CLOCK, [clock.now]);
  await client.query('commit');
  return given;
}

async function readClock(client: pg.ClientBase): Promise<ClockReading> {
  const { rows } = await client.query<{ now: number; seenAt: number }>(READ_CLOCK);
  const [clock] = rows;
  if (clock === undefined) throw new Error('the database has no row for its clock');
  return clock;
}

async function giveTime(client: pg.ClientBase, { now, seenAt }: ClockReading): Promise<number> {
  // A deadline that had passed before the clock was out of sight stays passed.
  const span = [Math.min(seenAt, now), now + TIME_GIVEN_MS];
  const heads = await client.query<{ id: string }>(LOCK_HEADS_TO_GIVE_TIME, span);
  if (heads.rows.length === 0) return 0;
  const { rows } = await client.query<{ requests: number }>(GIVE_TIME, [
    ...span,
    now,
    heads.rows.map(({ id }) => id),
    JSON.stringify(HUB),
  ]);
  const requests = rows[0]?.requests ?? 0;
  const body = { seenAt, now, deadlineAt: now + TIME_GIVEN_MS, requests };
  const entry = { by: HUB, action: 'time-given', body };
  await client.query(INSERT_AUDIT, auditColumns([entry]));
  return requests;
}
