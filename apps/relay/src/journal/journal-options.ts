import type { SegmentWriterOptions } from './segment-writer.js';

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
  /** Something that was kept can't be read; what of it is missing is marked, and the file is kept. */
  damaged(error: unknown, file: string): void;
}
