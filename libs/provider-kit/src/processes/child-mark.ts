import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { identifyProcess, isGoneWithin, isStillRunning } from './process-identity.js';

/** In the environment of a client's process, and so of everything that it starts; nothing else has the same value. */
const NAME = 'COXSWAIN_CHILD';
/** What is being stopped may start another process in between. */
const LOOKS = 5;
/** A killed process that waits for a disk ends when that answers; nobody waits for it longer than this. */
const GONE_WITHIN_MS = 2_000;

/** A mark for one process that is about to be started: the variable to give it, and its value for the record. */
export function newChildMark(): { mark: string; environment: Record<string, string> } {
  const mark = randomUUID();
  return { mark, environment: { [NAME]: mark } };
}

/**
 * Kills every process that has this mark. Clients start commands in process groups of their own, which outlive the
 * client's group when it is killed; a resumed session knows nothing of them, and they would go on writing beside it.
 * Where the system does not show other processes' environments in `/proc`, they can't be found.
 * Resolves when those that it found have ended; never rejects.
 */
export async function stopMarked(mark: string): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const found = processIds().filter((pid) => hasMark(pid, mark));
    if (found.length === 0) return;
    // One that is killed shows its environment no more before it has ended.
    const dying = found.flatMap((pid) => identifyProcess(pid) ?? []);
    for (const pid of found) kill(pid);
    await isGoneWithin(() => !dying.some(isStillRunning), GONE_WITHIN_MS);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${NAME}=${mark}`);
  } catch {
    // Another user's, or gone.
    return false;
  }
}
