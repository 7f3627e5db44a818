import type { RelayMessage, RelayMessageOf } from '#contracts';
import type { JournalOptions } from './journal-options.js';
import { decodeRecords } from './journal-record.js';
import type { ConversationState } from './journal-shapes.js';
import { lastNumber, notKept, outgoing, type Outgoing } from './outgoing.js';
import type { Segment } from './segment-files.js';

/** Where one of the relay's own messages stands in a segment, in bytes. */
interface Place {
  readonly n: number;
  readonly at: number;
  readonly length: number;
}

/** What is to be sent next, out of which files. */
export interface Wanted {
  /** Oldest first; each goes on where the one before it ends. */
  readonly segments: readonly Segment[];
  readonly from: number;
  /** The last number that is on the disk. */
  readonly to: number;
  readonly maxBytes: number;
}

/** A stretch of the relay's own numbers that one segment holds. */
interface Stretch {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
  readonly maxBytes: number;
}

/** Codes of failures after which a file will not be read the next time either. */
const GONE = ['ENOENT', 'EIO'];

/** What stands where the record of a message was damaged: the hub shows it in the conversation. */
const LOST: RelayMessageOf<'tombstone'> = {
  kind: 'tombstone',
  what: 'message',
  reason: 'what this machine kept of it was damaged',
};

/**
 * Reads the relay's own messages back from the disk. The segment that was read last is gone through once; what is
 * wanted next is read from where it stands.
 */
export class OutgoingReader {
  #file: string | undefined;
  #places: Place[] = [];
  #scanned = 0;

  constructor(private readonly options: Pick<JournalOptions, 'disk' | 'damaged'>) {}

  /** Nothing is to be read for now. */
  forget(): void {
    this.#file = undefined;
    this.#places = [];
    this.#scanned = 0;
  }

  /**
   * Messages from a number on, as many as one segment holds and as fit, with a tombstone for each that is lost.
   * Rejects where the file can't be read now, and may be later.
   */
  async read(wanted: Wanted, state: Readonly<ConversationState>): Promise<Outgoing[]> {
    const stretch = stretchOf(wanted);
    if (stretch === undefined) return [];
    const oldest = wanted.segments[0]?.firstOut ?? 1;
    if (wanted.from < oldest) return [notKept(wanted.from, oldest - wanted.from)];
    const read = await this.#readStretch(stretch).catch((error: unknown) => {
      if (!GONE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      // What was acknowledged in the meantime may have been removed.
      if (wanted.from <= state.acked) return [];
      this.options.damaged(error, stretch.segment.file);
      return filled(new Map(), stretch);
    });
    const buried = new Map(state.buried.map(({ n, message }) => [n, message]));
    return read.map((found) => {
      const message = buried.get(found.n);
      return message === undefined ? found : outgoing(found.n, message);
    });
  }

  async #readStretch(stretch: Stretch): Promise<Outgoing[]> {
    const { segment, from, to } = stretch;
    await this.#scan(segment.file, to);
    const wanted = this.#places.filter(({ n }) => n >= from && n <= to);
    const places = within(wanted, stretch.maxBytes);
    const found = await this.#readPlaces(segment.file, places);
    const end = places.length < wanted.length ? (places.at(-1)?.n ?? to) : to;
    return filled(found, { ...stretch, to: end });
  }

  /** Goes on from where the last look at this file ended, if what is wanted was not there yet. */
  async #scan(file: string, to: number): Promise<void> {
    if (this.#file !== file) this.forget();
    this.#file = file;
    if ((this.#places.at(-1)?.n ?? 0) >= to) return;
    const from = this.#scanned;
    const { found, goodBytes } = decodeRecords(await this.options.disk.read(file, { from }));
    for (const { record, at, length } of found) {
      if (record.r === 'out') this.#places.push({ n: record.n, at: from + at, length });
    }
    this.#scanned = from + goodBytes;
  }

  async #readPlaces(file: string, places: readonly Place[]): Promise<Map<number, RelayMessage>> {
    const [first] = places;
    const last = places.at(-1);
    if (first === undefined || last === undefined) return new Map();
    const part = { from: first.at, length: last.at + last.length - first.at };
    const { found } = decodeRecords(await this.options.disk.read(file, part));
    return new Map(
      found.flatMap(({ record }) => (record.r === 'out' ? [[record.n, record.message]] : [])),
    );
  }
}

/** The part of what is wanted that the segment with its first number holds. */
function stretchOf({ segments, from, to, maxBytes }: Wanted): Stretch | undefined {
  const at = segments.findLastIndex(({ firstOut }) => firstOut <= from);
  const segment = segments[Math.max(at, 0)];
  if (segment === undefined) return undefined;
  const next = segments[Math.max(at, 0) + 1]?.firstOut ?? Infinity;
  return { segment, from, to: Math.min(next - 1, to), maxBytes };
}

/** As many as have room; one at least. */
function within(places: readonly Place[], maxBytes: number): Place[] {
  let bytes = 0;
  const over = places.findIndex(({ length }) => (bytes += length) > maxBytes);
  return over < 0 ? [...places] : places.slice(0, Math.max(over, 1));
}

/** No number is left out: the hub takes what follows only when it has what stands before it (link rule 1). */
function filled(found: ReadonlyMap<number, RelayMessage>, { from, to }: Stretch): Outgoing[] {
  const all: Outgoing[] = [];
  for (let n = from; n <= to;) {
    const message = found.get(n);
    const next = message === undefined ? lost(n, found, to) : outgoing(n, message);
    all.push(next);
    n = lastNumber(next) + 1;
  }
  return all;
}

/** One tombstone for a run of numbers of which nothing is left. */
function lost(from: number, found: ReadonlyMap<number, RelayMessage>, to: number): Outgoing {
  let missing = 1;
  while (from + missing <= to && !found.has(from + missing)) missing += 1;
  return outgoing(from, missing === 1 ? LOST : { ...LOST, missing });
}
