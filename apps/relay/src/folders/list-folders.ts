import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FolderListing, FolderReply } from '#contracts';

const MOST_FOLDERS = 2_000;

/** Why a folder can't be listed, by the system's own code. */
const PROBLEMS: Readonly<Record<string, { code: string; message: string }>> = {
  ENOENT: { code: 'NOT_FOUND', message: 'There is no such folder on that machine.' },
  ENOTDIR: { code: 'NOT_A_FOLDER', message: 'That is a file and no folder.' },
  EACCES: { code: 'FORBIDDEN', message: 'The relay may not read that folder.' },
  EPERM: { code: 'FORBIDDEN', message: 'The relay may not read that folder.' },
  ELOOP: { code: 'INVALID', message: 'That path leads in a circle.' },
  ENAMETOOLONG: { code: 'INVALID', message: 'That path is too long.' },
};

/** The folders in a folder, sorted, for picking where an agent works. Files are never listed. */
export async function listFolders(asked: string | undefined, home: string): Promise<FolderReply> {
  const folder = fromHome(asked ?? home, home);
  if (!path.isAbsolute(folder)) {
    return refused('INVALID', 'The path must be absolute, such as /home/anna/project.');
  }
  try {
    return { ok: true, listing: await listing(await realpath(folder)) };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const problem = PROBLEMS[code];
    return refused(
      problem?.code ?? 'UNAVAILABLE',
      problem?.message ?? `That folder can't be read (${code || 'unknown reason'}).`,
    );
  }
}

/** A path that begins with the tilde that shells write for a person's home. */
function fromHome(folder: string, home: string): string {
  return /^~(?=$|[/\\])/.test(folder) ? path.join(home, folder.slice(1)) : folder;
}

const refused = (code: string, message: string): FolderReply => ({ ok: false, code, message });

async function listing(folder: string): Promise<FolderListing> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (entry.isDirectory()) found.push(entry.name);
    else if (entry.isSymbolicLink() && (await isFolder(path.join(folder, entry.name)))) {
      found.push(entry.name);
    }
  }
  const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const names = found
    .filter((name) => name.isWellFormed())
    .sort((one, other) => Number(hidden(one)) - Number(hidden(other)) || order.compare(one, other))
    .slice(0, MOST_FOLDERS);
  const parent = path.dirname(folder);
  return {
    path: folder,
    ...(parent !== folder && { parent }),
    folders: names.map((name) => ({ name, path: path.join(folder, name) })),
  };
}

const hidden = (name: string): boolean => name.startsWith('.');

async function isFolder(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
