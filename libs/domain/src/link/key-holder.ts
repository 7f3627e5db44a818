/** What a hub knows of the tokens of one relay (link rule 7); hashes, and the number of the last that was given out. */
export interface TokenBook {
  /** Absent before the first was confirmed, and after a person let the relay begin anew. */
  readonly current?: string;
  /** Given out and not confirmed yet. */
  readonly next?: string;
  readonly issued: number;
}

/** A token as it was shown: signed by this hub, or not. */
export interface ShownToken {
  readonly hash: string;
  readonly n: number;
  readonly genuine: boolean;
}

/**
 * Who shows a token: the relay that was attached last (`current`, or `next` where the confirmation was lost), the first
 * that comes (`first`), somebody else who has the key (`other`), or a relay to which this hub gave tokens that its
 * database has no record of (`ahead`): that was put back to an older backup (rule 10).
 */
export type Holder = 'first' | 'current' | 'next' | 'ahead' | 'other';

export function holderOf(book: TokenBook, shown: ShownToken | undefined): Holder {
  if (shown?.genuine === true && shown.n > book.issued) return 'ahead';
  if (book.current === undefined) return 'first';
  if (shown?.genuine !== true) return 'other';
  if (shown.hash === book.current) return 'current';
  return shown.hash === book.next ? 'next' : 'other';
}

/** The number of the token that the holder is given now. */
export function nextTokenNumber(book: TokenBook, shown: ShownToken | undefined): number {
  return Math.max(book.issued, shown?.genuine === true ? shown.n : 0) + 1;
}

/** The book after an attach of a holder that was taken, who is given `issued`: what was shown is good until then. */
export function afterAttach(of: {
  readonly book: TokenBook;
  readonly holder: Exclude<Holder, 'other'>;
  readonly shown: ShownToken | undefined;
  readonly issued: { readonly hash: string; readonly n: number };
}): TokenBook {
  const { book, holder, shown, issued } = of;
  const proven = holder === 'next' || holder === 'ahead' ? shown?.hash : book.current;
  return {
    ...(proven === undefined ? {} : { current: proven }),
    next: issued.hash,
    issued: issued.n,
  };
}
