import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { MACHINE_DISK, type Disk, type DiskFile } from '../../../apps/relay/src/disk/disk.js';

export type DiskCall = keyof Disk | keyof DiskFile;

export interface Fault {
  readonly call: DiskCall;
  /** Of files and folders that have this in their path; of all where it is not said. */
  readonly at?: string;
  readonly code: 'ENOSPC' | 'EIO' | 'EACCES' | 'EMFILE';
  /** How often; until the disk is mended where it is not said. */
  times?: number;
  /** So many bytes of an append are written before it fails. */
  readonly partly?: number;
}

/** What of a file survives a cut of power. */
interface Durable {
  bytes: number;
  written: number;
  /** A sync failed: what it was for is lost, and a later sync that succeeds does not bring it back. */
  lost: boolean;
}

/** The machine's disk, which keeps a list of what was asked of it, and fails where the test wants it to. */
export class FaultyDisk implements Disk {
  /** Calls that change something, in the order in which they were done, such as `datasync 00000001-1.log`. */
  readonly calls: string[] = [];
  /** Bytes read, by call. */
  readonly reads: number[] = [];
  faults: Fault[] = [];
  /** Where set, a sync waits for it before it does anything. */
  syncsAfter: Promise<void> | undefined;
  readonly #durable = new Map<string, Durable>();
  #failed = 0;
  #onFailure: (() => void)[] = [];

  constructor(private readonly below: Disk = MACHINE_DISK) {}

  /** Resolves when a call has failed so often in all. */
  async failed(times: number): Promise<void> {
    while (this.#failed < times) await new Promise<void>((told) => this.#onFailure.push(told));
  }

  /** From here on everything succeeds. */
  mend(): void {
    this.faults = [];
  }

  /** Leaves of each file what was brought to the disk; the rest was never there. */
  async cutPower(): Promise<void> {
    for (const [file, { bytes }] of this.#durable) await truncate(file, bytes);
  }

  async open(file: string): Promise<DiskFile> {
    this.fail('open', file);
    const opened = await this.below.open(file);
    const { bytes } = await this.below.stat(file);
    const durable = this.#durable.get(file) ?? { bytes, written: bytes, lost: false };
    this.#durable.set(file, durable);
    return new FaultyFile({ disk: this, file, durable }, opened);
  }

  async read(file: string, part?: { from: number; length?: number }): Promise<Buffer> {
    this.fail('read', file);
    const bytes = await this.below.read(file, part);
    this.reads.push(bytes.length);
    return bytes;
  }

  stat(file: string): ReturnType<Disk['stat']> {
    this.fail('stat', file);
    return this.below.stat(file);
  }

  list(folder: string): Promise<string[]> {
    this.fail('list', folder);
    return this.below.list(folder);
  }

  makeFolder(folder: string): Promise<void> {
    return this.do('makeFolder', folder, () => this.below.makeFolder(folder));
  }

  rename(from: string, to: string): Promise<void> {
    return this.do('rename', to, async () => {
      await this.below.rename(from, to);
      for (const [file, durable] of [...this.#durable]) {
        if (!file.startsWith(from)) continue;
        this.#durable.delete(file);
        this.#durable.set(`${to}${file.slice(from.length)}`, durable);
      }
    });
  }

  remove(file: string): Promise<void> {
    return this.do('remove', file, async () => {
      await this.below.remove(file);
      for (const known of [...this.#durable.keys()]) {
        if (known.startsWith(file)) this.#durable.delete(known);
      }
    });
  }

  syncFolder(folder: string): Promise<void> {
    return this.do('syncFolder', folder, () => this.below.syncFolder(folder));
  }

  async do(call: DiskCall, file: string, work: () => Promise<void>): Promise<void> {
    this.fail(call, file);
    await work();
    this.calls.push(`${call} ${path.basename(file)}`);
  }

  /** Throws where the test wants this call to fail. */
  fail(call: DiskCall, file: string): void {
    const fault = this.fault(call, file);
    if (fault !== undefined) throw this.failure(fault);
  }

  fault(call: DiskCall, file: string): Fault | undefined {
    const fault = this.faults.find(
      (set) => set.call === call && file.includes(set.at ?? '') && set.times !== 0,
    );
    if (fault?.times !== undefined) fault.times -= 1;
    return fault;
  }

  failure({ call, code }: Fault): Error {
    this.#failed += 1;
    for (const told of this.#onFailure.splice(0)) told();
    return Object.assign(new Error(`${code}: ${call}`), { code });
  }
}

class FaultyFile implements DiskFile {
  constructor(
    private readonly of: {
      readonly disk: FaultyDisk;
      readonly file: string;
      readonly durable: Durable;
    },
    private readonly below: DiskFile,
  ) {}

  async append(bytes: Buffer): Promise<void> {
    const { disk, durable, file } = this.of;
    const fault = disk.fault('append', file);
    const taken = fault === undefined ? bytes : bytes.subarray(0, fault.partly ?? 0);
    await this.below.append(taken);
    durable.written += taken.length;
    if (fault !== undefined) throw disk.failure(fault);
    disk.calls.push(`append ${path.basename(file)}`);
  }

  async truncate(size: number): Promise<void> {
    const { disk, durable, file } = this.of;
    disk.fail('truncate', file);
    await this.below.truncate(size);
    durable.written = size;
    durable.bytes = Math.min(durable.bytes, size);
  }

  async datasync(): Promise<void> {
    const { disk, durable, file } = this.of;
    await disk.syncsAfter;
    const fault = disk.fault('datasync', file);
    if (fault !== undefined) {
      durable.lost = true;
      throw disk.failure(fault);
    }
    await disk.do('datasync', file, async () => {
      await this.below.datasync();
      if (!durable.lost) durable.bytes = durable.written;
    });
  }

  close(): Promise<void> {
    return this.below.close();
  }
}
