import type { Failure } from '#contracts';

/** When to try again to reach the agent, and whether its failure was told already. */
export class Retries {
  #tries = 0;
  #reported: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly waits: readonly number[],
    private readonly again: () => void,
  ) {}

  get count(): number {
    return this.#tries;
  }

  failed(): void {
    this.#tries += 1;
  }

  /** Something went well, or may go well from here on. */
  reset(): void {
    this.#tries = 0;
    this.forgetReport();
  }

  forgetReport(): void {
    this.#reported = undefined;
  }

  /** Whether this failure was not the last one that was told; it counts as told now. */
  isNews({ code }: Failure): boolean {
    const news = this.#reported !== code;
    this.#reported = code;
    return news;
  }

  /** Tries again after a while, longer each time; when all waits are used up only where it has to go on for ever. */
  schedule({ forEver }: { readonly forEver: boolean }): void {
    const wait = this.waits[this.#tries - 1] ?? (forEver ? this.waits.at(-1) : undefined);
    if (wait === undefined) return;
    this.cancel();
    this.#timer = setTimeout(this.again, wait);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }
}
