import type { Work } from '../journal/journal-shapes.js';

/** One handing-over under way. Where another has taken its place, it does nothing more. */
export interface Handing {
  readonly n: number;
  /** How it goes at this moment; a call that is given up invalidates the result that was meant for it alone. */
  way: 'tool' | 'message';
}

/** What was handed, or is being handed, to the client that runs now; its evidence is awaited. */
export class InFlight {
  readonly #handings = new Map<number, Handing>();

  get size(): number {
    return this.#handings.size;
  }

  has({ n }: Pick<Work, 'n'>): boolean {
    return this.#handings.has(n);
  }

  begin({ n }: Pick<Work, 'n'>, way: Handing['way']): Handing {
    const handing = { n, way };
    this.#handings.set(n, handing);
    return handing;
  }

  /** Whether it is still the one that counts. */
  isCurrent(handing: Handing): boolean {
    return this.#handings.get(handing.n) === handing;
  }

  /** How it is on its way; undefined where it is not. */
  wayOf({ n }: Pick<Work, 'n'>): Handing['way'] | undefined {
    return this.#handings.get(n)?.way;
  }

  end({ n }: Pick<Work, 'n'>): void {
    this.#handings.delete(n);
  }

  clear(): void {
    this.#handings.clear();
  }

  /** What the client did not take is not on its way any more. Settles as `handed` does. */
  async unlessThrown(handing: Handing, handed: Promise<void>): Promise<void> {
    try {
      await handed;
    } catch (error) {
      if (this.isCurrent(handing)) this.end(handing);
      throw error;
    }
  }
}
