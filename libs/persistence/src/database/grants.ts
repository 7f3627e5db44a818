import type pg from 'pg';

type Right = 'select' | 'insert' | 'update' | 'delete';

/** What the application may do with each table. A table that is not named here is out of its reach. */
export const GRANTS: Readonly<Record<string, readonly Right[]>> = {
  clock: ['select'],
  clock_seen: ['select', 'update'],
  person: ['select', 'insert'],
  device: ['select', 'insert', 'update'],
  sign_in_link: ['select', 'insert', 'update'],
  passkey: ['select', 'insert', 'update'],
  passkey_requirement: ['select', 'insert', 'update'],
  setting: ['select', 'insert', 'update'],
  relay: ['select', 'insert', 'update'],
  conversation: ['select', 'insert', 'update'],
  conversation_head: ['select', 'insert', 'update'],
  event: ['select', 'insert'],
  queued_message: ['select', 'insert', 'update'],
  outbox: ['select', 'insert', 'update', 'delete'],
  request: ['select', 'insert', 'update'],
  card: ['select', 'insert', 'update'],
  audit: ['select', 'insert'],
};

/** Gives the application's role exactly what {@link GRANTS} says. Run as the owner; does nothing for the owner itself. */
export async function grantToApplication(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ role: string }>('select current_user as role');
  if (rows[0]?.role === role) return;
  const name = owner.escapeIdentifier(role);
  const statements = Object.entries(GRANTS).flatMap(([table, rights]) => [
    `revoke all on table ${table} from ${name}`,
    `grant ${rights.join(', ')} on table ${table} to ${name}`,
  ]);
  const schema = await owner.query<{ schema: string }>('select current_schema() as schema');
  const schemaName = owner.escapeIdentifier(schema.rows[0]?.schema ?? 'public');
  await owner.query(
    [
      'begin',
      `revoke create on schema ${schemaName} from ${name}`,
      `grant usage on schema ${schemaName} to ${name}`,
      ...statements,
      'commit',
    ].join(';'),
  );
}

/** How the database's roles protect the audit log, for the log at start and the page on safety. */
export interface RoleReport {
  readonly role: string;
  /** Whether the application's role can only add to the audit log. */
  readonly auditIsAppendOnly: boolean;
  /** What is lost, in plain words; empty where nothing is. */
  readonly losses: readonly string[];
}

/** Looks at what the role that the application connects as could do. */
export async function reportRoles(pool: pg.Pool): Promise<RoleReport> {
  const { rows } = await pool.query<{
    role: string;
    owns: boolean;
    changes: boolean;
    creates: boolean;
  }>(`
    select current_user as role,
      pg_has_role(c.relowner, 'MEMBER') as owns,
      has_table_privilege(c.oid, 'update') or has_table_privilege(c.oid, 'delete')
        or has_table_privilege(c.oid, 'truncate') as changes,
      has_schema_privilege(current_schema(), 'create') as creates
    from pg_class c where c.oid = 'audit'::regclass`);
  const found = rows[0];
  if (found === undefined)
    throw new Error('the database has no audit log; run the migrations first');
  const losses = [
    ...(found.owns || found.changes
      ? [
          `The database role "${found.role}" could change or empty the audit log. Give the schema to another role ` +
            'and name that one in DATABASE_OWNER_URL.',
        ]
      : []),
    ...(found.creates ? [`The database role "${found.role}" could make tables of its own.`] : []),
  ];
  return { role: found.role, auditIsAppendOnly: !found.owns && !found.changes, losses };
}
