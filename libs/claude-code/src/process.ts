import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { newChildMark, stopMarked, type DriverHost } from '#provider-kit';
import type { SpawnOrder, SpawnedProcess } from './sdk.js';

const KEPT_STDERR = 4_000;

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * One child process of the client's: leader of a process group of its own, so that it can be stopped as a
 * group, and reported to the relay, so that one left behind can be found.
 */
export class ClientProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #stderr = '';
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;

  private constructor(order: SpawnOrder, processes: DriverHost['processes'], what: string) {
    const { mark, environment } = newChildMark();
    this.#child = spawn(order.command, order.args, {
      ...(order.cwd !== undefined && { cwd: order.cwd }),
      env: { ...order.env, ...environment },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = `${this.#stderr}${chunk.toString('utf8')}`.slice(-KEPT_STDERR);
    });
    this.ended = this.#heardOut(processes, mark);
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      processes.started({ pid, group: true, what, mark });
    } catch (error) {
      // Nobody would know of it, and nobody would end it.
      this.kill();
      throw error;
    }
  }

  #heardOut(processes: DriverHost['processes'], mark: string): Promise<ProcessEnd> {
    return new Promise((done) => {
      // A program that can't be started gives `error` and no `exit`.
      this.#child.once('error', (cause) => {
        this.#stderr += cause.message;
        done({ code: null, signal: null });
      });
      this.#child.once('exit', (code, signal) => {
        this.#stopGroup();
        const alone = signal === null ? Promise.resolve() : stopMarked(mark);
        void alone.then(() => {
          this.#strike(processes);
          done({ code, signal });
        });
      });
    });
  }

  /** Takes the process off the relay's list. Whoever waits for its end must hear of it even where that fails. */
  #strike(processes: DriverHost['processes']): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      processes.ended(pid);
    } catch (error) {
      this.#stderr += error instanceof Error ? error.message : String(error);
    }
  }

  /** The way in which the SDK is told to start the client. */
  static starter(
    host: Pick<DriverHost, 'processes'>,
    what: string,
    started: (process: ClientProcess) => void,
  ): (order: SpawnOrder) => SpawnedProcess {
    return (order) => {
      const process = new ClientProcess(order, host.processes, what);
      started(process);
      return process.#child;
    };
  }

  /** The end of what the client wrote to its standard error. */
  get complaint(): string {
    return this.#stderr.trim();
  }

  /**
   * Back pressure: what the client writes stays in the pipe, and a client whose pipe is full waits. The SDK would read on
   * and keep it all in memory.
   */
  hold(held: boolean): void {
    if (held) this.#child.stdout.pause();
    else this.#child.stdout.resume();
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** What the client started and left in its group ends with it. */
  #stopGroup(): void {
    if (this.#child.pid === undefined || process.platform === 'win32') return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // The group is empty: everything in it had ended already.
    }
  }
}
