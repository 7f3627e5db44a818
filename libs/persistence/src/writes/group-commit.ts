/** How much one flush takes, and how much may wait. */
export interface GroupCommitLimits {
  /** items of one flush */
  readonly batch: number;
  /** items that wait; who adds one more waits until there is room */
  readonly queue: number;
  /** the weight of one flush; an item that is heavier has one of its own */
  readonly weight: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** What became of one item: a result, or the error that its caller gets. */
export type Outcome<Result> =
  { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly error: unknown };

/**
 * Self-clocking group commit: the next flush starts when the last one has ended, with all that came in between. No
 * timer: one writer waits for one commit, many share one.
 */
export class GroupCommit<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = [];
  private readonly roomWanted: (() => void)[] = [];
  private running: Promise<void> | undefined;

  /** @param flush never rejects; gives an outcome for each item, in order */
  constructor(
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
    private readonly limits: GroupCommitLimits,
  ) {}

  /** Resolves when the flush that took the item has ended. */
  async add(item: Item, weight = 0): Promise<Result> {
    while (this.waiting.length >= this.limits.queue) {
      await new Promise<void>((resolve) => this.roomWanted.push(resolve));
    }
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject });
      this.running ??= this.run();
    });
  }

  /** Resolves when everything that was added has been flushed. */
  async drain(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  private async run(): Promise<void> {
    // What is added in this very moment still comes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.nextBatch());
      this.roomWanted.splice(0, batch.length).forEach((goOn) => goOn());
      const outcomes = await this.flush(batch.map(({ item }) => item));
      batch.forEach((waiting, index) => settle(waiting, outcomes[index]));
    }
    this.running = undefined;
  }

  /** How many of those that wait go into the next flush. */
  private nextBatch(): number {
    const most = Math.min(this.limits.batch, this.waiting.length);
    let weight = 0;
    for (let count = 0; count < most; count += 1) {
      weight += this.waiting[count]?.weight ?? 0;
      if (weight > this.limits.weight) return Math.max(1, count);
    }
    return most;
  }
}

function settle<Item, Result>(
  waiting: Waiting<Item, Result>,
  outcome: Outcome<Result> | undefined,
): void {
  if (outcome === undefined) waiting.reject(new Error('a flush gave no outcome for an item'));
  else if (outcome.ok) waiting.resolve(outcome.result);
  else waiting.reject(outcome.error);
}
