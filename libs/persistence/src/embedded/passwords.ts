import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import type { Owner } from './postgres-folders.js';

/**
 * The three roles of the embedded PostgreSQL: `admin` (superuser, makes roles and the database), `owner` (owns the
 * schema, runs the migrations) and `app` (what the hub works with; can't change the audit log).
 */
export const EMBEDDED_ROLES = {
  admin: 'coxswain_admin',
  owner: 'coxswain_owner',
  app: 'coxswain_app',
} as const;
export type EmbeddedRole = keyof typeof EMBEDDED_ROLES;

/** The passwords of {@link EMBEDDED_ROLES}. */
export type Passwords = Readonly<Record<EmbeddedRole, string>>;

/** New passwords (192 bits each) in `<base>/<role>.password`, 0600; those that are there are kept. */
export async function createPasswords(base: string, owner: Owner): Promise<Passwords> {
  const entries = await Promise.all(
    roles().map(async (role) => {
      const known = await readPassword(base, role);
      return [role, known ?? (await createPassword(base, role, owner))] as const;
    }),
  );
  return Object.fromEntries(entries) as unknown as Passwords;
}

/**
 * The passwords of a database that was made earlier.
 *
 * @throws EmbeddedPostgresError PASSWORD_LOST
 */
export async function readPasswords(base: string): Promise<Passwords> {
  const entries = await Promise.all(
    roles().map(async (role) => [role, await requirePassword(base, role)] as const),
  );
  return Object.fromEntries(entries) as unknown as Passwords;
}

/**
 * One role's password.
 *
 * @throws EmbeddedPostgresError PASSWORD_LOST
 */
export async function requirePassword(base: string, role: EmbeddedRole): Promise<string> {
  const password = await readPassword(base, role);
  if (password !== undefined) return password;
  throw new EmbeddedPostgresError(
    'PASSWORD_LOST',
    `The password file ${passwordFile(base, role)} is missing or empty, and the database can't be opened without it. ` +
      'Put it back from a backup of the folder.',
  );
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivateFile(file: string, text: string, owner: Owner): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  if (process.getuid?.() === 0) await chown(unfinished, owner.uid, owner.gid);
  await rename(unfinished, file);
}

async function createPassword(base: string, role: EmbeddedRole, owner: Owner): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  await writePrivateFile(passwordFile(base, role), `${password}\n`, owner);
  return password;
}

async function readPassword(base: string, role: EmbeddedRole): Promise<string | undefined> {
  const raw = await readFile(passwordFile(base, role), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return raw.trim() === '' ? undefined : raw.trim();
}

function passwordFile(base: string, role: EmbeddedRole): string {
  return path.join(base, `${role}.password`);
}

function roles(): EmbeddedRole[] {
  return Object.keys(EMBEDDED_ROLES) as EmbeddedRole[];
}
