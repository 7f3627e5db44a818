import { rm } from 'node:fs/promises';
import type { HubMessage, RelayMessage, RelayMessageOf } from '#contracts';
import { applyRecord } from './conversation-state.js';
import type { ConversationState } from './journal-shapes.js';
import { encodeRecord } from './journal-record.js';
import type { Attempt, JournalRecord, UnreadableMessage } from './journal-shapes.js';
import {
  readOutgoing,
  readSaid,
  withoutHole,
  type Outgoing,
  type Said,
} from './journal-reading.js';
import { listSegments, readSegment, segmentFile, type Segment } from './segment-files.js';
import { SegmentWriter, type SegmentWriterOptions } from './segment-writer.js';

export interface JournalOptions extends SegmentWriterOptions {
  /** A segment that has grown over this is followed by the next. */
  readonly segmentBytes: number;
  /** At rest one that has grown over this is followed too: the next life of the relay reads the last one only. */
  readonly restBytes: number;
  /** Acknowledged segments are kept this long, and no longer than until the journal has `keptBytes` of them. */
  readonly keptMs: number;
  readonly keptBytes: number;
  /** Messages not acknowledged yet that are held in memory, so that sending need not read the disk. */
  readonly tailBytes: number;
  now(): number;
}

/** The append-only record of one conversation (link rule 5), in segments of which each begins with the state. */
export class Journal {
  #tail: Outgoing[] = [];
  #tailBytes = 0;
  #ackedOnDisk: number;
  /** The last number of its own that was written: what the hub gets must outlive this process. */
  #written: number;
  readonly #writer: SegmentWriter;

  private constructor(
    readonly folder: string,
    private readonly own: ConversationState,
    private readonly segments: Segment[],
    private readonly options: JournalOptions,
  ) {
    const last = this.#last();
    this.#ackedOnDisk = own.acked;
    this.#written = own.sent;
    this.#writer = new SegmentWriter(last.file, last.bytes, options);
  }

  /** Begins the journal of a conversation in an empty folder. */
  static async create(
    folder: string,
    state: ConversationState,
    options: JournalOptions,
  ): Promise<Journal> {
    const first: Segment = {
      file: segmentFile(folder, 1, state.sent + 1),
      index: 1,
      firstOut: state.sent + 1,
      bytes: 0,
      writtenAt: options.now(),
    };
    const journal = new Journal(folder, state, [first], options);
    const line = encodeRecord({ r: 'begin', state });
    first.bytes = line.length;
    await journal.#writer.begin(first.file, line);
    return journal;
  }

  /**
   * Reads a journal back after the relay's end, however it ended: a torn last line is cut off.
   * Resolves with undefined where no segment has a whole beginning (the relay died while it made the folder).
   */
  static async load(folder: string, options: JournalOptions): Promise<Journal | undefined> {
    const segments = await listSegments(folder);
    for (let last = segments.at(-1); last !== undefined; last = segments.at(-1)) {
      const { records, goodBytes } = await readSegment(last.file);
      const [begin, ...rest] = records;
      if (begin?.r === 'begin') {
        const { state } = begin;
        for (const record of rest) applyRecord(state, record);
        last.bytes = goodBytes;
        return new Journal(folder, state, segments, options);
      }
      segments.pop();
      await rm(last.file);
    }
    return undefined;
  }

  /** The fold of all that was appended, whether it is on the disk yet or not. */
  get state(): Readonly<ConversationState> {
    return this.own;
  }

  /** Size of what the hub has not acknowledged, to within a segment. */
  get unacknowledgedBytes(): number {
    const { acked, sent } = this.own;
    if (acked >= sent) return 0;
    return this.segments.reduce(
      (sum, segment, at) =>
        (this.segments[at + 1]?.firstOut ?? Infinity) > acked + 1 ? sum + segment.bytes : sum,
      0,
    );
  }

  get isOpen(): boolean {
    return this.#writer.isOpen;
  }

  /** Numbers one of the relay's own messages. `written` resolves when it survives the end of the process. */
  send(message: RelayMessage): { n: number; written: Promise<void> } {
    const n = this.own.sent + 1;
    const record: JournalRecord = { r: 'out', n, message };
    const written = this.#append(record, (bytes) => {
      this.#tail.push({ n, message, bytes });
      this.#tailBytes += bytes;
    }).then(() => {
      this.#written = n;
    });
    this.#trimTail();
    return { n, written };
  }

  /** Takes a message of the hub's; resolves when it is on the disk and may be acknowledged. */
  receive(n: number, message: HubMessage | UnreadableMessage): Promise<void> {
    return this.#commit({ r: 'in', n, message });
  }

  /** Resolves when the attempt is on the disk and may be made (link rule 4). */
  attempt(n: number, attempt: Attempt): Promise<void> {
    return this.#commit({ r: 'attempt', n, attempt });
  }

  /** Gives up the work of the hub's message `n`. */
  drop(n: number): void {
    void this.#append({ r: 'drop', n });
  }

  /** All that the hub's stop `n` ends has been ended. */
  stopSettled(n: number): void {
    void this.#append({ r: 'stop-settled', n });
  }

  /** The hub has everything up to `n`. Written down at rest or with the next segment: to lose it costs a repetition only. */
  acknowledged(n: number): void {
    if (n <= this.own.acked) return;
    applyRecord(this.own, { r: 'acked', n });
    this.#tail = this.#tail.filter((outgoing) => outgoing.n > n);
    this.#tailBytes = this.#tail.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Link rule 10: the hub lost what came after `n`, so it is sent again. */
  rewind(n: number): void {
    void this.#append({ r: 'rewind', n });
  }

  /** Puts a tombstone where the hub refused a message for good. */
  async bury(n: number, message: RelayMessageOf<'tombstone'>): Promise<void> {
    if (n <= this.own.acked) return;
    const at = this.#tail.findIndex((outgoing) => outgoing.n === n);
    if (at >= 0) this.#tail[at] = { n, message, bytes: JSON.stringify(message).length };
    await this.#append({ r: 'bury', n, message });
  }

  /** When something was last written to it. */
  get writtenAt(): number {
    return this.#last().writtenAt;
  }

  /** Own messages from number `from` on that are written, as many as fit; at least one where there is one. */
  async outgoing(from: number, maxBytes: number): Promise<Outgoing[]> {
    if (from > this.#written) return [];
    const first = this.#tail[0]?.n ?? Infinity;
    const all = first <= from ? this.#tail : await this.#read(from);
    const kept = all.filter(({ n }) => n >= from && n <= this.#written);
    const written = withoutHole(kept, { from, upTo: this.#written });
    return written.slice(0, fitting(written, maxBytes));
  }

  /** What the hub said after its message `n`, as far as it is kept. */
  async saidAfter(n: number): Promise<Said> {
    await this.#writer.drained();
    return readSaid(this.segments, n);
  }

  /** Syncs what was only written. */
  sync(): Promise<void> {
    return this.#writer.sync();
  }

  /** Gives the open file back and forgets old segments; for a conversation in which nothing happens. */
  async rest(): Promise<void> {
    if (this.#last().bytes > this.options.restBytes) this.#beginSegment();
    await this.#writer.drained();
    await this.compact();
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#ackedOnDisk < this.own.acked) {
      void this.#append({ r: 'acked', n: this.own.acked });
    }
    await this.#writer.drained();
    await this.#writer.rest();
  }

  /** Stops writing at once; for a journal that is put aside or removed. */
  abandon(): Promise<void> {
    return this.#writer.abandon();
  }

  /** Removes the oldest segments of which every message is acknowledged, where they are old or too large in all. */
  async compact(): Promise<void> {
    for (;;) {
      const [oldest, next] = this.segments;
      if (oldest === undefined || next === undefined) return;
      if (next.firstOut > this.own.acked + 1) return;
      const total = this.segments.reduce((sum, { bytes }) => sum + bytes, 0);
      const young = this.options.now() - oldest.writtenAt < this.options.keptMs;
      if (young && total <= this.options.keptBytes) return;
      this.segments.shift();
      await rm(oldest.file, { force: true });
    }
  }

  #append(record: JournalRecord, placed?: (bytes: number) => void): Promise<void> {
    const line = this.#place(record, placed);
    return this.#writer.append(line);
  }

  #commit(record: JournalRecord): Promise<void> {
    const line = this.#place(record);
    return this.#writer.commit(line);
  }

  /** Takes a record into the state, in the next segment where this one is full. */
  #place(record: JournalRecord, placed?: (bytes: number) => void): Buffer {
    if (this.#last().bytes > this.options.segmentBytes) this.#beginSegment();
    const line = encodeRecord(record);
    placed?.(line.length);
    const last = this.#last();
    last.bytes += line.length;
    last.writtenAt = this.options.now();
    applyRecord(this.own, record);
    if (record.r === 'acked' || record.r === 'rewind') this.#ackedOnDisk = this.own.acked;
    return line;
  }

  /** The state as it is now opens the segment, before the record that follows is taken into it. */
  #beginSegment(): void {
    const { index } = this.#last();
    const firstOut = this.own.sent + 1;
    const line = encodeRecord({ r: 'begin', state: this.own });
    const file = segmentFile(this.folder, index + 1, firstOut);
    this.segments.push({
      file,
      index: index + 1,
      firstOut,
      bytes: line.length,
      writtenAt: this.options.now(),
    });
    this.#ackedOnDisk = this.own.acked;
    void this.#writer.begin(file, line);
  }

  #trimTail(): void {
    while (this.#tailBytes > this.options.tailBytes && this.#tail.length > 1) {
      this.#tailBytes -= this.#tail.shift()?.bytes ?? 0;
    }
  }

  async #read(from: number): Promise<Outgoing[]> {
    await this.#writer.drained();
    return readOutgoing(this.segments, from, this.own);
  }

  #last(): Segment {
    const last = this.segments.at(-1);
    if (last === undefined) throw new Error('A journal always has a segment.');
    return last;
  }
}

/** How many messages fit; one at least. */
function fitting(messages: readonly Outgoing[], maxBytes: number): number {
  let bytes = 0;
  const over = messages.findIndex((outgoing) => (bytes += outgoing.bytes) > maxBytes);
  return over < 0 ? messages.length : Math.max(over, 1);
}
