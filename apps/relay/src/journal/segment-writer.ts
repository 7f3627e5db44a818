import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disk, DiskFile } from '../disk/disk.js';

/** What goes to the disk next: lines of the newest segment, or the beginning of the one after it. */
type Step =
  | { readonly kind: 'lines'; readonly bytes: Buffer }
  | { readonly kind: 'segment'; readonly file: string; readonly bytes: Buffer };

interface Batch {
  readonly steps: Step[];
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

export interface SegmentWriterOptions {
  readonly disk: Disk;
  /** How long to wait before a write that failed (such as on a full disk) is tried again. */
  readonly retryWriteMs: number;
  /** A write failed and is tried again until it succeeds; nothing is lost or half written meanwhile. */
  trouble(error: unknown, file: string): void;
}

/**
 * Appends to the newest segment of one journal. Group commit without a timer: what is appended while a flush runs
 * goes with the next one, and one sync serves all that wait for it. Holds no open file once {@link rest} was called.
 */
export class SegmentWriter {
  #next = newBatch();
  #flushing: Promise<void> | undefined;
  #open: DiskFile | undefined;
  /** A sync failed: the system has thrown away what it was for, though reading may still show it. */
  #suspect = false;
  readonly #gone = new AbortController();

  constructor(
    private file: string,
    /** Bytes of the file that are on the disk; what stands behind them is cut off. */
    private size: number,
    private readonly options: SegmentWriterOptions,
  ) {}

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Resolves when the line and all before it are on the disk; never once the journal was abandoned. */
  append(bytes: Buffer): Promise<void> {
    return this.#take({ kind: 'lines', bytes });
  }

  /** Begins the next segment; what follows goes there. Resolves as {@link append} does. */
  begin(file: string, bytes: Buffer): Promise<void> {
    return this.#take({ kind: 'segment', file, bytes });
  }

  /** Gives the open file back. */
  async rest(): Promise<void> {
    await this.drained();
    await this.#letGo();
  }

  /** Stops retrying and closes the file; for a journal that is put aside. */
  async abandon(): Promise<void> {
    this.#gone.abort();
    await this.rest();
  }

  /** Resolves when nothing waits for the disk; where that takes nothing, as late as it does. */
  async drained(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  #take(step: Step): Promise<void> {
    const batch = this.#next;
    batch.steps.push(step);
    if (!this.#isGone) this.#flushing ??= this.#flush();
    return batch.done;
  }

  get #isGone(): boolean {
    return this.#gone.signal.aborted;
  }

  async #flush(): Promise<void> {
    // All that is appended in this tick goes with the first flush.
    await Promise.resolve();
    while (this.#next.steps.length > 0 && !this.#isGone) {
      const batch = this.#next;
      this.#next = newBatch();
      for (const step of joined(batch.steps)) await this.#untilDone(step);
      if (!this.#isGone) batch.resolve();
    }
    this.#flushing = undefined;
  }

  async #untilDone(step: Step): Promise<void> {
    while (!this.#isGone) {
      try {
        await this.#write(step);
        return;
      } catch (error) {
        this.options.trouble(error, this.file);
        await this.#letGo();
        const { signal } = this.#gone;
        await delay(this.options.retryWriteMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #write(step: Step): Promise<void> {
    if (step.kind === 'segment') return this.#begin(step);
    return this.#suspect ? this.#writeAnew(step.bytes) : this.#append(step.bytes);
  }

  async #append(bytes: Buffer): Promise<void> {
    const open = (this.#open ??= await openAt(this.options.disk, this.file, this.size));
    try {
      await open.append(bytes);
    } catch (error) {
      // No half line stays; where that fails as well, opening it again cuts it off.
      await open.truncate(this.size).catch(() => undefined);
      throw error;
    }
    try {
      await open.datasync();
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
    this.size += bytes.length;
  }

  /** Puts a copy in the segment's place: what is known to be on the disk, and what the failed sync was for. */
  async #writeAnew(bytes: Buffer): Promise<void> {
    const { disk } = this.options;
    const kept = await disk.read(this.file, { from: 0, length: this.size });
    const copy = `${this.file}.anew`;
    const open = await makeFile(disk, copy, Buffer.concat([kept, bytes]));
    try {
      await disk.rename(copy, this.file);
      await disk.syncFolder(path.dirname(this.file));
    } catch (error) {
      await open.close();
      throw error;
    }
    this.#open = open;
    this.size = kept.length + bytes.length;
    this.#suspect = false;
  }

  async #begin({ file, bytes }: Step & { kind: 'segment' }): Promise<void> {
    const next = await beginSegment(this.options.disk, file, bytes);
    await this.#letGo();
    this.#open = next;
    this.file = file;
    this.size = bytes.length;
  }

  /** All that was written is on the disk, so a failure to close loses nothing. */
  async #letGo(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close().catch((error: unknown) => this.options.trouble(error, this.file));
  }
}

/** Makes a segment's file with its first line; resolves when both are on the disk. */
export async function beginSegment(disk: Disk, file: string, bytes: Buffer): Promise<DiskFile> {
  const open = await makeFile(disk, file, bytes);
  try {
    await disk.syncFolder(path.dirname(file));
  } catch (error) {
    await open.close();
    throw error;
  }
  return open;
}

/** Makes a file anew, whatever an attempt before this one left, and brings it to the disk. */
async function makeFile(disk: Disk, file: string, bytes: Buffer): Promise<DiskFile> {
  await disk.remove(file);
  const open = await disk.open(file);
  try {
    await open.append(bytes);
    await open.datasync();
  } catch (error) {
    await open.close();
    throw error;
  }
  return open;
}

/** Lines that follow each other are written at once. */
function joined(steps: readonly Step[]): Step[] {
  const all: Step[] = [];
  let lines: Buffer[] = [];
  const take = (): void => {
    if (lines.length > 0) all.push({ kind: 'lines', bytes: Buffer.concat(lines) });
    lines = [];
  };
  for (const step of steps) {
    if (step.kind === 'lines') lines.push(step.bytes);
    else {
      take();
      all.push(step);
    }
  }
  take();
  return all;
}

function newBatch(): Batch {
  let resolve = (): void => undefined;
  const done = new Promise<void>((settle) => (resolve = settle));
  return { steps: [], done, resolve };
}

async function openAt(disk: Disk, file: string, size: number): Promise<DiskFile> {
  const open = await disk.open(file);
  try {
    await open.truncate(size);
  } catch (error) {
    await open.close();
    throw error;
  }
  return open;
}
