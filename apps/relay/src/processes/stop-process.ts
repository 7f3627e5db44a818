import {
  groupRuns,
  identifyProcess,
  isGoneWithin,
  isStillRunning,
  stopMarked,
  type ProcessIdentity,
} from '#provider-kit';

/** How long a process gets to end by itself before it is killed. */
const GRACE_MS = 3_000;

/** A process as it was identified when it was started. */
interface StartedProcess extends ProcessIdentity {
  readonly group: boolean;
  readonly mark?: string | undefined;
}

/**
 * Stops a process that was identified earlier, its whole group where it leads one, and what it started outside of
 * that. A process that has the same id by chance is left alone. Resolves when nothing of it runs any more.
 */
export async function stopProcess(child: StartedProcess, graceMs = GRACE_MS): Promise<void> {
  await stopGroup(child, graceMs);
  if (child.mark !== undefined) await stopMarked(child.mark);
}

async function stopGroup(child: StartedProcess, graceMs: number): Promise<void> {
  if (!isOurs(child)) return;
  const isGone = (): boolean => (child.group ? !groupRuns(child.pid) : !isStillRunning(child));
  signal(child, 'SIGTERM');
  if (await isGoneWithin(isGone, graceMs)) return;
  signal(child, 'SIGKILL');
  await isGoneWithin(isGone, graceMs);
}

/** A leader that has ended leaves its group's id reserved while the group lasts: it can't be another's. */
function isOurs(child: StartedProcess): boolean {
  const now = identifyProcess(child.pid);
  return now === undefined ? child.group && groupRuns(child.pid) : now.start === child.start;
}

function signal(child: { pid: number; group: boolean }, name: NodeJS.Signals): void {
  try {
    process.kill(child.group ? -child.pid : child.pid, name);
  } catch {
    // It ended on its own in between.
  }
}
