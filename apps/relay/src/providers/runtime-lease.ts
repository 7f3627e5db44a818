import type { ProviderRuntime } from '#provider-kit';

/** A runtime that is in use; it stays open until every lease was given back. */
export interface RuntimeLease {
  readonly runtime: ProviderRuntime;
  /** Whether the provider's settings have changed since: what is started next gets another one. */
  readonly isOutdated: boolean;
  release(): void;
}

/** One opening of a provider's runtime. After {@link retire} it serves those who have it, and nobody new. */
export class SharedRuntime {
  #leases = 0;
  #retired = false;

  constructor(private readonly runtime: ProviderRuntime) {}

  lease(): RuntimeLease {
    this.#leases += 1;
    let given = false;
    const isRetired = (): boolean => this.#retired;
    return {
      runtime: this.runtime,
      get isOutdated() {
        return isRetired();
      },
      release: () => {
        if (given) return;
        given = true;
        this.#leases -= 1;
        if (this.#retired && this.#leases === 0) void this.runtime.close();
      },
    };
  }

  /** Closes it as soon as nobody uses it any more. */
  retire(): void {
    this.#retired = true;
    if (this.#leases === 0) void this.runtime.close();
  }

  close(): Promise<void> {
    return this.runtime.close();
  }
}
