/** Something that the product promises does not happen, and that did. */
export interface Violation {
  /** Which of the oracle's checks saw it. */
  readonly check: string;
  readonly conversation?: string;
  readonly what: string;
}
