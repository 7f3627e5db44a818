import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/**
 * A process that can be recognised again: process ids are reused, the pair of id and start is not.
 * `start` is opaque (Linux: boot id and clock ticks since boot, elsewhere what `ps` says).
 */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), start: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** The process that has this id now, or undefined where none runs (one that waits to be reaped counts as none). */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const start = process.platform === 'linux' ? await linuxStart(pid) : await psField(pid, 'lstart');
  return start === undefined ? undefined : { pid, start };
}

/** Whether the very process that was identified earlier still runs. */
export async function isStillRunning(identity: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(identity.pid))?.start === identity.start;
}

/** The command line of a running process with its parts parted by blanks; undefined where it can't be read. */
export async function commandLineOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return psField(pid, 'command');
  const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return raw === '' ? undefined : raw.replaceAll('\0', ' ').trim();
}

/** Resolves with true once the process is gone, with false when it still runs after `withinMs`. */
export async function waitUntilGone(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const pollMs = 20;
  for (let waited = 0; waited <= withinMs; waited += pollMs) {
    if (!(await isStillRunning(identity))) return true;
    await delay(pollMs);
  }
  return false;
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the command in brackets and may itself hold blanks and brackets (proc(5)).
  const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = afterCommand;
  if (state === 'Z' || state === 'X') return undefined;
  const startTicks = afterCommand[19];
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => 'boot');
  return `${bootId.trim()}/${startTicks}`;
}

async function psField(pid: number, field: 'lstart' | 'command'): Promise<string | undefined> {
  const found = await run('ps', ['-o', `${field}=`, '-p', String(pid)]).catch(() => undefined);
  const value = found?.stdout.trim() ?? '';
  return value === '' ? undefined : value;
}
