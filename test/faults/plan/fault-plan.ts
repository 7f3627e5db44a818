import type { Dice } from './dice.js';

/** What the product consists of, for whoever breaks it. */
export type Part = 'hub' | 'relay' | 'client' | 'postgres';

/** One fault, and when: after so many signals of life of the product, or after so long if those do not come. */
export type Fault = { readonly afterSignals: number; readonly atMostMs: number } & (
  | { readonly kind: 'kill'; readonly part: Part; readonly nth: number }
  | { readonly kind: 'pause'; readonly part: Part; readonly nth: number; readonly ms: number }
  /** Connections are cut, and none is let through for a while. */
  | { readonly kind: 'cut-link'; readonly ms: number }
  /** Bytes in one direction or both come late. */
  | {
      readonly kind: 'slow-link';
      readonly ms: number;
      readonly byMs: number;
      readonly way: LinkWay;
    }
  /** Bytes in one direction or both do not come at all, and nobody is told. */
  | { readonly kind: 'hold-link'; readonly ms: number; readonly way: LinkWay }
  /** The database's clock is stepped, by less than what counts as a sleep of the machine (C7). */
  | { readonly kind: 'step-clock'; readonly toMs: number }
);
export type LinkWay = 'to-hub' | 'to-relay' | 'both';

/** The name under which a fault is counted. */
export const faultName = (fault: Fault): string =>
  fault.kind === 'kill' || fault.kind === 'pause' ? `${fault.kind} ${fault.part}` : fault.kind;

const KINDS = {
  'kill hub': 10,
  'kill relay': 10,
  'kill client': 14,
  'kill postgres': 7,
  'pause hub': 6,
  'pause relay': 6,
  'pause client': 9,
  'pause postgres': 5,
  'cut-link': 9,
  'slow-link': 6,
  'hold-link': 6,
  'step-clock': 3,
} as const;

/**
 * One fault of a run.
 * @param longestMs what lasts is over after this, in milliseconds
 */
export function planFault(dice: Dice, longestMs = Infinity): Fault {
  const fault = planAnyFault(dice);
  return 'ms' in fault ? { ...fault, ms: Math.min(fault.ms, longestMs) } : fault;
}

function planAnyFault(dice: Dice): Fault {
  const when = { afterSignals: dice.between(1, 150), atMostMs: dice.between(500, 12_000) };
  const kind = dice.weighted(KINDS);
  const [what, part] = kind.split(' ') as [string, Part | undefined];
  if (part !== undefined) {
    const at = { ...when, part, nth: dice.between(0, 1_000) };
    return what === 'kill' ? { ...at, kind: 'kill' } : { ...at, kind: 'pause', ms: duration(dice) };
  }
  return { ...when, ...planLinkFault(dice, kind as LinkFault) };
}

type LinkFault = 'cut-link' | 'slow-link' | 'hold-link' | 'step-clock';

function planLinkFault(dice: Dice, kind: LinkFault) {
  const way = dice.pick(['to-hub', 'to-relay', 'both'] as const);
  switch (kind) {
    case 'cut-link':
      return { kind, ms: duration(dice) };
    case 'slow-link':
      return { kind, way, ms: dice.between(500, 5_000), byMs: dice.between(5, 400) };
    case 'hold-link':
      return { kind, way, ms: duration(dice) };
    case 'step-clock':
      return { kind, toMs: dice.between(-25_000, 25_000) };
  }
}

/** Mostly short, so that much happens; some long enough for heartbeats and waits to run out. */
function duration(dice: Dice): number {
  const length = dice.weighted({ short: 70, middle: 25, long: 5 });
  switch (length) {
    case 'short':
      return dice.between(20, 600);
    case 'middle':
      return dice.between(600, 4_000);
    case 'long':
      return dice.between(8_000, 30_000);
  }
}
