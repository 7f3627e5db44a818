import { access, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Where Debian and its kin keep PostgreSQL: a folder a major version. */
const INSTALLED = '/usr/lib/postgresql';

/** The oldest PostgreSQL of 15 or later that the system has, as a folder with `bin` in it. */
export async function findSystemPostgres(): Promise<string | undefined> {
  const majors = (await readdir(INSTALLED).catch(() => []))
    .map(Number)
    .filter((major) => major >= 15)
    .sort((a, b) => a - b);
  for (const major of majors) {
    const folder = path.join(INSTALLED, String(major));
    if (
      await access(path.join(folder, 'bin', 'initdb')).then(
        () => true,
        () => false,
      )
    )
      return folder;
  }
  return undefined;
}
