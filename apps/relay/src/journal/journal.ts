import path from 'node:path';
import type { HubMessage, RelayMessage, RelayMessageOf } from '#contracts';
import { applyRecord } from './conversation-state.js';
import { encodeRecord } from './journal-record.js';
import type { Attempt, ConversationState, JournalRecord } from './journal-shapes.js';
import type { UnreadableMessage } from './journal-shapes.js';
import type { JournalOptions } from './journal-options.js';
import { readSaid, type Said } from './journal-reading.js';
import { OutgoingReader } from './outgoing-reader.js';
import { OutgoingTail, fitting, type Outgoing } from './outgoing.js';
import { readBack, settle, type JournalPlace } from './read-back.js';
import { segmentFile, type Segment } from './segment-files.js';
import { SegmentWriter, beginSegment } from './segment-writer.js';

/** A journal read back, and files that belong to it in which nothing can be read. */
export interface LoadedJournal {
  readonly journal: Journal;
  readonly unreadable: readonly string[];
}

/** Ends the name of a folder that is no journal yet. */
export const IN_THE_MAKING = '.making';

/** The append-only record of one conversation (link rule 5), in segments of which each begins with the state. */
export class Journal {
  readonly #tail: OutgoingTail;
  readonly #reader: OutgoingReader;
  readonly #writer: SegmentWriter;
  #ackedOnDisk: number;
  /** Both directions as they are on the disk: only that much is sent, and acknowledged. */
  #kept: { readonly sent: number; readonly received: number };

  private constructor(
    readonly folder: string,
    private readonly own: ConversationState,
    private readonly segments: Segment[],
    private readonly options: JournalOptions,
  ) {
    const last = this.#last();
    this.#ackedOnDisk = own.acked;
    this.#kept = { sent: own.sent, received: own.received };
    this.#tail = new OutgoingTail(options.tailBytes);
    this.#reader = new OutgoingReader(options);
    this.#writer = new SegmentWriter(last.file, last.bytes, options);
  }

  /**
   * Begins the journal of a conversation. Its folder appears with the first segment in it, or not at all. Rejects
   * with the system's error: `ENOTEMPTY` where something stands there.
   */
  static async create(
    folder: string,
    state: ConversationState,
    options: JournalOptions,
  ): Promise<Journal> {
    const { disk } = options;
    const line = encodeRecord({ r: 'begin', state });
    const firstOut = state.sent + 1;
    const making = `${folder}${IN_THE_MAKING}`;
    await disk.remove(making);
    await disk.makeFolder(making);
    await (await beginSegment(disk, segmentFile(making, 1, firstOut), line)).close();
    await disk.rename(making, folder);
    await disk.syncFolder(path.dirname(folder));
    const file = segmentFile(folder, 1, firstOut);
    const writtenAt = options.now();
    const first: Segment = { file, index: 1, firstOut, bytes: line.length, writtenAt };
    return new Journal(folder, state, [first], options);
  }

  /**
   * Reads a journal back after the relay's end, however it ended: a torn last line is cut off, and what is damaged
   * is left out. Resolves with undefined where nothing at all can be read.
   */
  static async load(
    folder: string,
    place: JournalPlace,
    options: JournalOptions,
  ): Promise<LoadedJournal | undefined> {
    const found = await readBack(options.disk, folder, place);
    if (found === undefined) return undefined;
    const journal = new Journal(folder, found.state, found.segments, options);
    await settle(journal.#last(), options);
    // What was found damaged is not read a second time.
    if (found.state.damaged !== undefined) journal.#beginSegment();
    return { journal, unreadable: found.unreadable };
  }

  /** The fold of all that was appended, whether it is on the disk yet or not. */
  get state(): Readonly<ConversationState> {
    return this.own;
  }

  /** How far both directions are on the disk. */
  get kept(): { readonly sent: number; readonly received: number } {
    return this.#kept;
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

  /** When something was last written to it. */
  get writtenAt(): number {
    return this.#last().writtenAt;
  }

  /** Numbers one of the relay's own messages. `written` resolves when it is on the disk and may be sent. */
  send(message: RelayMessage): { n: number; written: Promise<void> } {
    const n = this.own.sent + 1;
    const written = this.#append({ r: 'out', n, message }, (bytes) =>
      this.#tail.push({ n, message, bytes }),
    );
    return { n, written };
  }

  /** Takes a message of the hub's; resolves when it is on the disk and may be acknowledged. */
  receive(n: number, message: HubMessage | UnreadableMessage): Promise<void> {
    return this.#append({ r: 'in', n, message });
  }

  /** The hub's messages up to `n` are nowhere any more. Gives back how many were missed. */
  skip(n: number): number {
    const { received, ahead = [] } = this.own;
    const had = ahead.filter((number) => number <= n).length;
    void this.#append({ r: 'skip', n });
    return n - received - had;
  }

  /** A person has been told that something was damaged. */
  damageTold(): void {
    void this.#append({ r: 'damage-told' });
  }

  /** Resolves when the attempt is on the disk and may be made (link rule 4). */
  attempt(n: number, attempt: Attempt): Promise<void> {
    return this.#append({ r: 'attempt', n, attempt });
  }

  /** Gives up the work of the hub's message `n`. */
  drop(n: number): void {
    void this.#append({ r: 'drop', n });
  }

  /** All that the hub's stop `n` ends has been ended. */
  stopSettled(n: number): void {
    void this.#append({ r: 'stop-settled', n });
  }

  /** The hub has everything up to `n`. Written down at rest or with the next segment: a loss costs a repetition. */
  acknowledged(n: number): void {
    if (n <= this.own.acked) return;
    applyRecord(this.own, { r: 'acked', n });
    this.#tail.acknowledged(n);
  }

  /**
   * The hub has more than this journal knows of: it was damaged, or lost. What was said since was taken for what the
   * hub had already, so it is said again; resolves when that is on the disk.
   */
  async overtaken(n: number): Promise<void> {
    const unheard = this.#tail.messages.map(({ message }) => message);
    const noted = this.#append({ r: 'acked', n });
    this.#tail.acknowledged(n);
    await Promise.all([noted, ...unheard.map((message) => this.send(message).written)]);
  }

  /** Link rule 10: the hub lost what came after `n`, so it is sent again. */
  rewind(n: number): void {
    void this.#append({ r: 'rewind', n });
  }

  /** Puts a tombstone where the hub refused a message for good. */
  async bury(n: number, message: RelayMessageOf<'tombstone'>): Promise<void> {
    if (n <= this.own.acked) return;
    this.#tail.bury(n, message);
    await this.#append({ r: 'bury', n, message });
  }

  /** Own messages from number `from` on that are on the disk, as many as fit; at least one where there is one. */
  async outgoing(from: number, maxBytes: number): Promise<Outgoing[]> {
    const { sent } = this.#kept;
    if (from > sent) return [];
    if (!this.#tail.reachesBack(from)) {
      return this.#reader.read({ segments: this.segments, from, to: sent, maxBytes }, this.own);
    }
    this.#reader.forget();
    const kept = this.#tail.messages.filter(({ n }) => n >= from && n <= sent);
    return kept.slice(0, fitting(kept, maxBytes));
  }

  /** What the hub said after its message `n`, as far as it is kept. */
  async saidAfter(n: number): Promise<Said> {
    await this.#writer.drained();
    return readSaid(this.options.disk, this.segments, n);
  }

  /** Resolves when everything is on the disk; where that takes nothing, as late as it does. */
  sync(): Promise<void> {
    return this.#writer.drained();
  }

  /** Gives the open file back and forgets old segments; for a conversation in which nothing happens. */
  async rest(): Promise<void> {
    if (this.#last().bytes > this.options.restBytes) this.#beginSegment();
    this.#reader.forget();
    await this.#writer.drained();
    await this.compact();
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#ackedOnDisk < this.own.acked) {
      void this.#append({ r: 'acked', n: this.own.acked });
    }
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
      await this.options.disk.remove(oldest.file);
    }
  }

  /** Resolves when the record is on the disk; never once the journal was abandoned. */
  #append(record: JournalRecord, placed?: (bytes: number) => void): Promise<void> {
    if (this.#last().bytes > this.options.segmentBytes) this.#beginSegment();
    const line = encodeRecord(record);
    placed?.(line.length);
    const last = this.#last();
    last.bytes += line.length;
    last.writtenAt = this.options.now();
    applyRecord(this.own, record);
    if (record.r === 'acked' || record.r === 'rewind') this.#ackedOnDisk = this.own.acked;
    const { sent, received } = this.own;
    return this.#writer.append(line).then(() => {
      this.#kept = { sent, received };
    });
  }

  /** The state as it is now opens the segment, before the record that follows is taken into it. */
  #beginSegment(): void {
    const index = this.#last().index + 1;
    const firstOut = this.own.sent + 1;
    const line = encodeRecord({ r: 'begin', state: this.own });
    const file = segmentFile(this.folder, index, firstOut);
    const writtenAt = this.options.now();
    this.segments.push({ file, index, firstOut, bytes: line.length, writtenAt });
    this.#ackedOnDisk = this.own.acked;
    this.#writer
      .begin(file, line)
      .then(() => this.compact())
      .catch((error: unknown) => this.options.trouble(error, file));
  }

  #last(): Segment {
    const last = this.segments.at(-1);
    if (last === undefined) throw new Error('A journal always has a segment.');
    return last;
  }
}
