import { readFileSync, readdirSync } from 'node:fs';

/** In the environment of every command that the client starts; names the client's process. */
const MARK = 'CLAUDE_PID';

/**
 * Stops the commands that a killed client left running. It starts each in a process group of its own, so they
 * outlive its group; a resumed session knows nothing of them, and they would go on writing beside it. Where the
 * system does not show other processes' environments in `/proc`, they can't be found.
 */
export function stopCommandsOf(client: number): void {
  for (const pid of processIds()) {
    if (!startedBy(pid, client)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended by itself in between.
    }
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

function startedBy(pid: number, client: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARK}=${client}`);
  } catch {
    // Another user's, or gone.
    return false;
  }
}
