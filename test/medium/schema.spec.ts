import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { migrate, openStore } from '#persistence';
import { MIGRATIONS } from '#migrations';
import { aDeed } from '../support/conversation-builders.js';
import { openTestDatabase, poolOf, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(60_000);

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.remove());

describe('the migrations', () => {
  it('[stack] applied a second time do nothing', async () => {
    expect(await migrate(database.addresses)).toEqual([]);
  });

  it('[stack] run at the same time by two hubs are applied once', async () => {
    const { rows: before } = await database.owner.query('select count(*)::int as n from migration');

    await Promise.all([migrate(database.addresses), migrate(database.addresses)]);

    const { rows: after } = await database.owner.query('select count(*)::int as n from migration');
    expect([before, after]).toEqual([[{ n: MIGRATIONS.length }], [{ n: MIGRATIONS.length }]]);
  });

  it('[stack] can be taken back to an empty schema and applied again', async () => {
    const fresh = await openTestDatabase();
    const client = fresh.owner;
    try {
      const runner = { query: (sql: string) => client.query(sql) } as never;
      for (const Migration of MIGRATIONS.toReversed()) await new Migration().down(runner);
      const { rows } = await client.query(
        `select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration'`,
      );
      for (const Migration of MIGRATIONS) await new Migration().up(runner);
      expect(rows).toEqual([]);
    } finally {
      await fresh.remove();
    }
  });
});

describe('the role that the application works with', () => {
  const asApp = async (sql: string): Promise<unknown> => {
    const pool = poolOf(database.addresses.app, 1);
    try {
      return await pool.query(sql);
    } finally {
      await pool.end();
    }
  };

  it('[S4] adds to the audit log and reads it', async () => {
    await database.store.audit.add({ by: aDeed().by, action: 'device-paired', body: {} });

    await expect(asApp('select count(*) from audit')).resolves.toBeDefined();
  });

  it.each([
    ['changes', `update audit set action = 'nothing'`],
    ['deletes from', 'delete from audit'],
    ['empties', 'truncate audit'],
  ])('[S4] never %s the audit log', async (_, sql) => {
    await expect(asApp(sql)).rejects.toThrow(/permission denied/);
  });

  it.each([
    ['makes a table', 'create table mine (id int)'],
    ['drops a table', 'drop table audit'],
    ['moves the clock', `update clock set shift = interval '1 day'`],
    ['changes what has happened', `update event set body = '{}'`],
  ])('[security] never %s', async (_, sql) => {
    await expect(asApp(sql)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('[security] has no right on any table that is not in the list of grants', async () => {
    const { rows } = await database.owner.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
       and has_table_privilege($1, oid, 'select') order by relname`,
      [database.store.roles.role],
    );

    expect(rows.map(({ relname }) => relname)).toEqual([
      'audit',
      'card',
      'clock',
      'clock_seen',
      'conversation',
      'conversation_head',
      'device',
      'event',
      'outbox',
      'passkey',
      'passkey_requirement',
      'person',
      'queued_message',
      'relay',
      'request',
      'setting',
      'sign_in_link',
    ]);
  });

  it('[security] is reported as append-only', () => {
    expect(database.store.roles).toMatchObject({ auditIsAppendOnly: true, losses: [] });
  });
});

describe('one role for everything', () => {
  it('[security] works, and what that loses is said', async () => {
    const { owner } = database.addresses;
    await migrate({ owner, app: owner });
    const store = await openStore({ address: owner });
    try {
      expect(store.roles.auditIsAppendOnly).toBe(false);
      expect(store.roles.losses[0]).toMatch(/could change or empty the audit log/);
    } finally {
      await store.close();
    }
  });

  it('[S4] even so, a mistake does not change the audit log', async () => {
    await expect(database.owner.query('delete from audit')).rejects.toThrow(/only ever added to/);
  });
});
