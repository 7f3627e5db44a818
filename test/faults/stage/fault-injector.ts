import { setTimeout as pause } from 'node:timers/promises';
import { faultName, planFault, type Fault, type Part } from '../plan/fault-plan.js';
import type { Dice } from '../plan/dice.js';
import type { ProductUnderFault } from './product-under-fault.js';
import { signal, withAllBelow } from './processes.js';

/** How often it is looked whether so many signals have come. */
const LOOK_EVERY_MS = 20;

/** Does what the plan of faults says, one after the other; their effects overlap. */
export class FaultInjector {
  readonly #counts = new Map<string, number>();
  readonly #lasting = new Set<Promise<void>>();
  readonly relayDeaths: number[] = [];
  #over = false;

  constructor(
    private readonly product: ProductUnderFault,
    private readonly plan: { readonly dice: Dice; readonly longestMs: number },
    /** How much has been heard of the product so far. */
    private readonly signals: () => number,
  ) {}

  /** How many of each kind were done. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  async run(): Promise<void> {
    for (let n = 0; !this.#over; n += 1) {
      const fault = planFault(this.plan.dice.of(n), this.plan.longestMs);
      await this.#moment(fault);
      if (!this.#over) this.#start(fault);
    }
  }

  /** No more faults; resolves when the last one is undone. */
  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#lasting);
    await this.product.setClock(0).catch(() => undefined);
  }

  async #moment({ afterSignals, atMostMs }: Fault): Promise<void> {
    const until = this.signals() + afterSignals;
    const latest = performance.now() + atMostMs;
    while (!this.#over && this.signals() < until && performance.now() < latest) {
      await pause(LOOK_EVERY_MS);
    }
  }

  #start(fault: Fault): void {
    const lasting = this.#inflict(fault)
      .then((done) => {
        const name = faultName(fault);
        if (done) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      })
      .finally(() => this.#lasting.delete(lasting));
    this.#lasting.add(lasting);
  }

  /** @returns whether there was something to do it to */
  async #inflict(fault: Fault): Promise<boolean> {
    const { link } = this.product;
    switch (fault.kind) {
      case 'kill':
        return this.#kill(fault.part, fault.nth);
      case 'pause':
        return this.#pause(fault);
      case 'cut-link':
        await link.cut(fault.ms);
        return true;
      case 'slow-link':
        await link.slow(fault.way, fault.byMs, fault.ms);
        return true;
      case 'hold-link':
        await link.hold(fault.way, fault.ms);
        return true;
      case 'step-clock':
        return this.product.setClock(fault.toMs).then(
          () => true,
          () => false,
        );
    }
  }

  #kill(part: Part, nth: number): boolean {
    const pid = this.#target(part, nth);
    if (pid === undefined || !signal(pid, 'SIGKILL')) return false;
    if (part === 'relay') this.relayDeaths.push(Date.now());
    return true;
  }

  async #pause({ part, nth, ms }: Extract<Fault, { kind: 'pause' }>): Promise<boolean> {
    const pid = this.#target(part, nth);
    if (pid === undefined) return false;
    // PostgreSQL is a process for each connection; a relay's clients are parts of their own.
    const paused = part === 'postgres' ? withAllBelow(pid) : [pid];
    const stopped = paused.filter((each) => signal(each, 'SIGSTOP'));
    await pause(ms);
    stopped.forEach((each) => signal(each, 'SIGCONT'));
    return stopped.length > 0;
  }

  #target(part: Part, nth: number): number | undefined {
    const found = this.product.processes(part);
    return found[nth % found.length];
  }
}
