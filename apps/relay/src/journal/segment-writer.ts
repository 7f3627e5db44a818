import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** What goes to the disk next: a line, or the beginning of the next segment. */
type Step =
  | { readonly kind: 'line'; readonly bytes: Buffer }
  | { readonly kind: 'segment'; readonly file: string; readonly bytes: Buffer };

interface Batch {
  readonly steps: Step[];
  sync: boolean;
  readonly done: Promise<void>;
  readonly resolve: () => void;
}

export interface SegmentWriterOptions {
  /** How long to wait before a write that failed (such as on a full disk) is tried again. */
  readonly retryWriteMs: number;
  /** A write failed and is tried again until it succeeds; nothing is lost or half written meanwhile. */
  trouble(error: unknown, file: string): void;
}

/**
 * Appends to the newest segment of one journal. Group commit without a timer: what is appended while a flush
 * runs goes with the next one. Holds no open file once {@link rest} was called.
 */
export class SegmentWriter {
  #next = newBatch();
  #flushing: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  #unsynced = false;
  #abandoned = false;

  constructor(
    private file: string,
    /** Bytes of the file that are whole; what stands behind them is cut off. */
    private size: number,
    private readonly options: SegmentWriterOptions,
  ) {}

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  /** Resolves when the line is written: it survives the end of this process, not a cut of power. */
  append(bytes: Buffer): Promise<void> {
    return this.#take({ kind: 'line', bytes }, false);
  }

  /** Resolves when the line and all before it are on the disk. */
  commit(bytes: Buffer): Promise<void> {
    return this.#take({ kind: 'line', bytes }, true);
  }

  /** Begins the next segment; what follows goes there. */
  begin(file: string, bytes: Buffer): Promise<void> {
    return this.#take({ kind: 'segment', file, bytes }, true);
  }

  /** Brings what was only written to the disk. */
  async sync(): Promise<void> {
    await this.drained();
    if (this.#handle === undefined || !this.#unsynced) return;
    this.#unsynced = false;
    await this.#handle.datasync();
  }

  /** Syncs and gives the open file back. */
  async rest(): Promise<void> {
    await this.sync();
    if (this.#flushing !== undefined) return;
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  /** Stops retrying and closes the file; for a journal that is put aside. */
  async abandon(): Promise<void> {
    this.#abandoned = true;
    await this.rest();
  }

  async drained(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  #take(step: Step, sync: boolean): Promise<void> {
    const batch = this.#next;
    batch.steps.push(step);
    batch.sync ||= sync;
    this.#flushing ??= this.#flush();
    return batch.done;
  }

  async #flush(): Promise<void> {
    // All that is appended in this tick goes with the first flush.
    await Promise.resolve();
    while (this.#next.steps.length > 0) {
      const batch = this.#next;
      this.#next = newBatch();
      await this.#writeUntilDone(batch);
      batch.resolve();
    }
    this.#flushing = undefined;
  }

  async #writeUntilDone(batch: Batch): Promise<void> {
    while (!this.#abandoned) {
      try {
        await this.#write(batch);
        return;
      } catch (error) {
        this.options.trouble(error, this.file);
        await this.#handle?.close().catch(() => undefined);
        this.#handle = undefined;
        await delay(this.options.retryWriteMs);
      }
    }
  }

  async #write(batch: Batch): Promise<void> {
    while (batch.steps.length > 0) {
      const segment = batch.steps.findIndex((step) => step.kind === 'segment');
      const lines = segment < 0 ? batch.steps.length : segment;
      if (lines > 0) {
        await this.#writeLines(batch.steps.slice(0, lines));
        batch.steps.splice(0, lines);
        continue;
      }
      const [step] = batch.steps;
      if (step?.kind === 'segment') await this.#writeSegment(step);
      batch.steps.shift();
    }
    if (!batch.sync) return;
    await this.#handle?.datasync();
    this.#unsynced = false;
  }

  async #writeLines(steps: readonly Step[]): Promise<void> {
    this.#handle ??= await openAt(this.file, this.size);
    const bytes = Buffer.concat(steps.map((step) => step.bytes));
    await writeWhole(this.#handle, bytes, this.size);
    this.size += bytes.length;
    this.#unsynced = true;
  }

  async #writeSegment(step: Extract<Step, { kind: 'segment' }>): Promise<void> {
    const handle = await openAt(step.file, 0);
    try {
      await writeWhole(handle, step.bytes, 0);
      await handle.datasync();
      await syncFolder(path.dirname(step.file));
      if (this.#unsynced) await this.#handle?.datasync();
    } catch (error) {
      await handle.close();
      throw error;
    }
    await this.#handle?.close();
    this.#handle = handle;
    this.file = step.file;
    this.size = step.bytes.length;
    this.#unsynced = false;
  }
}

function newBatch(): Batch {
  let resolve = (): void => undefined;
  const done = new Promise<void>((settle) => (resolve = settle));
  return { steps: [], sync: false, done, resolve };
}

async function openAt(file: string, size: number): Promise<FileHandle> {
  const handle = await open(file, 'a+', 0o600);
  await handle.truncate(size);
  return handle;
}

/** Writes all of it or throws; the caller cuts off a part that was written. */
async function writeWhole(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Makes a new or renamed entry of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
