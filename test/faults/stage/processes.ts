import { readFileSync } from 'node:fs';
import { seenProcesses, type SeenProcess } from '../../support/process-tree.js';
import { PROGRAMS } from '../../support/product.js';
import type { Part } from '../plan/fault-plan.js';

/** How the processes of each part look; `home` is the run's own folder, so that no other run's are meant. */
const LOOKS: Readonly<Record<Part, (seen: SeenProcess, of: RunningProduct) => boolean>> = {
  hub: ({ command, parent }, { supervisor }) =>
    parent === supervisor && command.includes('dist/run/hub.mjs'),
  relay: ({ command, parent }, { supervisor }) =>
    parent === supervisor && command.includes(PROGRAMS.relay),
  client: ({ command, pid }, { home, client }) =>
    command.includes(client) && (command.includes(home) || environmentOf(pid).includes(home)),
  postgres: ({ command, parent }, { supervisor }) =>
    parent === supervisor && /\/postgres /.test(command),
};

export interface RunningProduct {
  readonly supervisor: number;
  readonly home: string;
  /** A piece of the command line of an agent's client. */
  readonly client: string;
}

/** The processes of a part that run now, by their ids in order. */
export function processesOf(part: Part, of: RunningProduct): number[] {
  const seen = seenProcesses();
  const own = seen.filter((process) => LOOKS[part](process, of)).map(({ pid }) => pid);
  return own.sort((one, other) => one - other);
}

/** A process with everything below it, which a pause must stop as a whole. */
export function withAllBelow(root: number): number[] {
  const seen = seenProcesses();
  const below = (pid: number): number[] => [
    pid,
    ...seen.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(root);
}

/** Every process that has to do with this run's folder, whatever it is. */
export function leftOf(home: string): SeenProcess[] {
  return seenProcesses().filter(
    ({ pid, command }) =>
      pid !== process.pid && (command.includes(home) || environmentOf(pid).includes(home)),
  );
}

export function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

/** @returns whether there was such a process */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
