import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder for one test, outside the repository; `remove` takes it away with all that is in it. */
export interface ScratchFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes a scratch folder, optionally for another user (only root can do that). */
export async function makeScratchFolder(owner?: {
  uid: number;
  gid: number;
}): Promise<ScratchFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-test-'));
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
