import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { LockHeld, ProcessLock } from '../processes/process-lock.js';

const LOOK_EVERY_MS = 200;

/** Runs `work` while no other process does so under the same name; waits for its turn. */
export async function withInstallLock<T>(
  place: { readonly folder: string; readonly name: string },
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(place.folder, { recursive: true, mode: 0o700 });
  const lock = await taken(place);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function taken({ folder, name }: { folder: string; name: string }): Promise<ProcessLock> {
  for (;;) {
    try {
      return await ProcessLock.take(folder, name);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      await pause(LOOK_EVERY_MS);
    }
  }
}
