import { LockHeld, ProcessLock } from '#provider-kit';

/** Another relay that runs has this folder. */
export class FolderTaken extends Error {
  constructor(folder: string, pid: number) {
    super(
      `Another relay (process ${pid}) already uses ${folder}. Stop it first, or give this one a folder of its own.`,
    );
    this.name = 'FolderTaken';
  }
}

/** One relay a folder (link rule 7). Rejects with {@link FolderTaken} when a running relay has it. */
export async function takeFolder(folder: string): Promise<ProcessLock> {
  try {
    return await ProcessLock.take(folder, 'relay');
  } catch (error) {
    throw error instanceof LockHeld ? new FolderTaken(folder, error.pid) : error;
  }
}
