import { ChildToSupervisor, type SupervisorToHub, type RelayConfig } from '#contracts';
import { fork, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ChildSockets } from './child-sockets.js';
import type { TakesSockets } from './front-door.js';
import { withLog } from './log-file.js';

/** What a supervised child can be told. */
export type ToChild = SupervisorToHub | RelayConfig;

/** How a process ended, as Node tells it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildProgram {
  /** In words for the terminal: `the hub`. */
  readonly name: string;
  /** The program's file. */
  readonly entry: string;
  /** What Node itself is told. */
  readonly execArgv?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** What it is told first; awaited at every start, so that a child can load while its database still starts. */
  readonly configure: () => Promise<ToChild>;
  /** Told of everything that it says. */
  readonly heard?: (message: ChildToSupervisor) => void;
}

/** What a child's supervisor wants to hear of it. */
export interface ChildEvents {
  ready(child: TakesSockets): void;
  heard(message: ChildToSupervisor): void;
  /** It ended without having been asked to, and is started again after `againIn` milliseconds. */
  died(end: ProcessEnd & { readonly why: string | undefined; readonly againIn: number }): void;
}

/** How long to wait before the first, second, … start after a death in a row; the last one holds from there on. */
export const RESTART_DELAYS_MS = [0, 250, 1_000, 3_000, 10_000, 30_000] as const;
/** A child that was ready for this long starts a new row of deaths. */
const STEADY_AFTER_MS = 60_000;
/** How long a child may take to stop by itself. */
const STOP_WITHIN_MS = 10_000;

/**
 * A process that is kept running: started again when it dies, more slowly the more often it does so in a row.
 *
 * It leads a session of its own, so that a Ctrl-C at the terminal reaches only the supervisor and the order of stopping
 * is the supervisor's. Its words go to a file and not to a pipe, so that it never waits for us.
 */
export class SupervisedChild {
  readonly #program: ChildProgram;
  readonly #events: ChildEvents;
  readonly #wait: (ms: number) => Promise<unknown>;
  #process: ChildProcess | undefined;
  #ended: Promise<ProcessEnd> = Promise.resolve({ code: 0, signal: null });
  #stopping = false;
  #deathsInARow = 0;
  #readySince: number | undefined;
  #why: string | undefined;

  /** @param wait waits so many milliseconds; given by tests */
  constructor(
    program: ChildProgram,
    events: ChildEvents,
    wait: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
  ) {
    this.#program = program;
    this.#events = events;
    this.#wait = wait;
  }

  get name(): string {
    return this.#program.name;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    const { entry, env, logFile, execArgv = [] } = this.#program;
    this.#why = undefined;
    this.#readySince = undefined;
    const child = withLog(logFile, (log) =>
      fork(entry, [], {
        ...{ env, detached: true, execArgv: [...execArgv] },
        stdio: ['ignore', log, log, 'ipc'],
      }),
    );
    this.#process = child;
    this.#ended = endOf(child);
    child.on('message', (message) => this.#hear(child, message));
    // A channel that breaks is followed by the child's end, which is what counts.
    child.on('error', () => undefined);
    void this.#configure(child);
    void this.#ended.then((end) => this.#afterEnd(end));
  }

  /** Tells it something; false where it is not there to hear it. */
  tell(message: ToChild): boolean {
    const child = this.#process;
    return this.#readySince !== undefined && child?.connected === true
      ? child.send(message, () => undefined)
      : false;
  }

  /** Asks it to stop, firmly after a while; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const running = this.#process;
    running?.kill('SIGTERM');
    const tooLong = setTimeout(() => running?.kill('SIGKILL'), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(tooLong);
  }

  /** Ends it at once: somebody is in a hurry. */
  kill(): void {
    this.#stopping = true;
    this.#process?.kill('SIGKILL');
  }

  async #configure(child: ChildProcess): Promise<void> {
    // Where there is nothing to tell it (no database), whoever waits for that ends the start.
    const config = await this.#program.configure().catch(() => undefined);
    if (config !== undefined && child.connected) child.send(config, () => undefined);
  }

  #hear(child: ChildProcess, raw: unknown): void {
    const parsed = ChildToSupervisor.safeParse(raw);
    if (!parsed.success || child !== this.#process) return;
    const message = parsed.data;
    if (message.kind === 'ready') {
      this.#readySince = performance.now();
      this.#events.ready(new ChildSockets(child));
    }
    if (message.kind === 'failed') this.#why = message.message;
    this.#program.heard?.(message);
    this.#events.heard(message);
  }

  async #afterEnd(end: ProcessEnd): Promise<void> {
    this.#process = undefined;
    if (this.#stopping) return;
    const steady =
      this.#readySince !== undefined && performance.now() - this.#readySince > STEADY_AFTER_MS;
    this.#deathsInARow = steady ? 1 : this.#deathsInARow + 1;
    const row = Math.min(this.#deathsInARow, RESTART_DELAYS_MS.length) - 1;
    const againIn = RESTART_DELAYS_MS[row] ?? 0;
    this.#events.died({ ...end, why: this.#why, againIn });
    await this.#wait(againIn);
    // Asked to stop while it waited.
    if (!this.#hasBeenStopped()) this.start();
  }

  #hasBeenStopped(): boolean {
    return this.#stopping;
  }
}

function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // It could not be started at all.
    child.once('error', () => child.pid === undefined && resolve({ code: 1, signal: null }));
  });
}
