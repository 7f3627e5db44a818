import type { AgentSession } from '#provider-kit';
import type { Journal } from '../journal/journal.js';

/** Read on again only when so much of the bound is free that it is not reached at once. */
const FREE_AGAIN = 0.9;

/** Link rule 5: a client whose words can't be kept for the hub any more is not read on. */
export class BackPressure {
  #held = false;

  constructor(
    private readonly parts: {
      readonly journal: Journal;
      readonly mostUnacknowledgedBytes: number;
      session(): AgentSession | undefined;
      /** Nothing more can be kept; `closes` where the session can't be held and has to be closed. */
      full(closes: boolean): void;
      /** There is room again. */
      free(): void;
    },
  ) {}

  get isHeld(): boolean {
    return this.#held;
  }

  /** Looks whether the journal has grown too full, or has been taken so far that there is room again. */
  review(): void {
    const { journal, mostUnacknowledgedBytes } = this.parts;
    const bytes = journal.unacknowledgedBytes;
    const session = this.parts.session();
    if (!this.#held && bytes > mostUnacknowledgedBytes) {
      this.#held = true;
      this.parts.full(session?.hold === undefined);
      session?.hold?.(true);
    } else if (this.#held && bytes < mostUnacknowledgedBytes * FREE_AGAIN) {
      this.#held = false;
      session?.hold?.(false);
      this.parts.free();
    }
  }
}
