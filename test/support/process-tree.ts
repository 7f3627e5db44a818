import { readFileSync, readdirSync } from 'node:fs';

/** A running process, as Linux's /proc tells of it. */
export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Every process that can be seen. Linux only. */
export function seenProcesses(): SeenProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => readProcess(Number(pid)) ?? []);
}

/** The processes below `root`, however deep, whose command line holds `program`. */
export function descendants(root: number, program: string): SeenProcess[] {
  const all = seenProcesses();
  const below = new Set([root]);
  let grown = true;
  while (grown) {
    const next = all.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    next.forEach(({ pid }) => below.add(pid));
    grown = next.length > 0;
  }
  return all.filter(
    ({ pid, command }) => pid !== root && below.has(pid) && command.includes(program),
  );
}

function readProcess(pid: number): SeenProcess | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const parent = Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    return { pid, parent, command };
  } catch {
    // It ended while it was looked at.
    return undefined;
  }
}
