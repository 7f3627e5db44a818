import { Injectable } from '@nestjs/common';

/**
 * That a write ended without a word: it may be committed, and nobody has been told of it. The store raises the doubt,
 * who tells devices and relays settles it.
 */
@Injectable()
export class CommitDoubts {
  private settle: () => void = () => undefined;

  /** @param settle called at each doubt */
  settledBy(settle: () => void): void {
    this.settle = settle;
  }

  raise(): void {
    this.settle();
  }
}
