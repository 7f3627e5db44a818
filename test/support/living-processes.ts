import type { ProcessRegistry } from '#provider-kit';

/** Keeps the processes that a driver started, as the relay does, so that a test can kill the newest. */
export class LivingProcesses implements ProcessRegistry {
  readonly #living: number[] = [];
  #looks: (() => void)[] = [];

  get pids(): readonly number[] {
    return this.#living;
  }

  started({ pid }: { pid: number }): void {
    this.#living.push(pid);
  }

  ended(pid: number): void {
    this.#living.splice(this.#living.indexOf(pid), 1);
    for (const look of this.#looks) look();
  }

  /** `kill -9`, and the wait until the driver has seen it. */
  killNewest(): Promise<void> {
    const pid = this.#living.at(-1);
    if (pid === undefined) throw new Error('no process of the driver is alive');
    process.kill(pid, 'SIGKILL');
    return new Promise((gone) => {
      const look = (): void => {
        if (!this.#living.includes(pid)) gone();
      };
      this.#looks.push(look);
      look();
    });
  }
}
