import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

/**
 * A process that can be recognised again: ids are reused, the pair of id and start is not. `start` is opaque
 * (Linux: boot id and clock ticks since boot, elsewhere what `ps` says).
 */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), start: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/**
 * The process that has this id now; undefined where none runs (one that waits to be reaped counts as none).
 * Synchronous: between the start of a child and its entry in the registry nothing may come.
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const start = process.platform === 'linux' ? linuxStart(pid) : psStart(pid);
  return start === undefined ? undefined : { pid, start };
}

/** Whether the very process that was identified earlier still runs. */
export function isStillRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.start === identity.start;
}

/** Whether a process of this group runs; one that only waits to be reaped does not. */
export function groupRuns(leader: number): boolean {
  if (!groupExists(leader)) return false;
  if (process.platform !== 'linux' || identifyProcess(leader) !== undefined) return true;
  return readdirSync('/proc').some((name) => {
    const stat = /^\d+$/.test(name) ? linuxStat(Number(name)) : undefined;
    return stat !== undefined && stat.group === leader && !stat.ended;
  });
}

/** A process that is nobody's child of ours tells nobody of its end, so it is looked for. */
const LOOK_EVERY_MS = 20;

/** Whether something has gone within so many milliseconds. */
export async function isGoneWithin(isGone: () => boolean, ms: number): Promise<boolean> {
  for (let waited = 0; waited <= ms; waited += LOOK_EVERY_MS) {
    if (isGone()) return true;
    await delay(LOOK_EVERY_MS);
  }
  return false;
}

function groupExists(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

function linuxStart(pid: number): string | undefined {
  const stat = linuxStat(pid);
  if (stat === undefined || stat.ended) return undefined;
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? 'boot';
  return `${boot}/${stat.startTicks}`;
}

interface LinuxStat {
  readonly ended: boolean;
  readonly group: number;
  readonly startTicks: string;
}

function linuxStat(pid: number): LinuxStat | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the command in brackets and may itself hold blanks and brackets (proc(5)).
  const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = afterCommand;
  return {
    ended: state === 'Z' || state === 'X',
    group: Number(group),
    startTicks: afterCommand[19] ?? '',
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function psStart(pid: number): string | undefined {
  try {
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return said.trim() === '' ? undefined : said.trim();
  } catch {
    return undefined;
  }
}
