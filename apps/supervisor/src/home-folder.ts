import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Where Coxswain keeps everything, by the convention of the platform: the XDG base directory specification, Apple's
 * File System Programming Guide, Windows' known folders.
 */
export function defaultHome(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  if (platform === 'darwin') {
    return path.join(homedir(), 'Library', 'Application Support', 'Coxswain');
  }
  if (platform === 'win32') {
    const local = environment['LOCALAPPDATA'] ?? path.join(homedir(), 'AppData', 'Local');
    return path.join(local, 'Coxswain');
  }
  const data = environment['XDG_DATA_HOME'];
  // The specification: a relative path is invalid and is to be ignored.
  const base =
    data !== undefined && path.isAbsolute(data) ? data : path.join(homedir(), '.local', 'share');
  return path.join(base, 'coxswain');
}

/** The folders of one home, each 0700: what is the relay's is nothing of the hub's. */
export interface HomeFolders {
  readonly home: string;
  readonly hub: string;
  readonly relay: string;
  readonly logs: string;
}

/** Makes the folders where they are missing and closes them to others. */
export async function makeHomeFolders(home: string): Promise<HomeFolders> {
  const root = path.resolve(home);
  const folders = {
    home: root,
    hub: path.join(root, 'hub'),
    relay: path.join(root, 'relay'),
    logs: path.join(root, 'logs'),
  };
  for (const folder of Object.values(folders)) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { mode } = await stat(folder);
    if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
  }
  return folders;
}
