import path from 'node:path';
import type { Disk } from '../disk/disk.js';
import { decodeRecords, type ReadRecords } from './journal-record.js';

/** One file of a journal; a journal's segments follow each other without gaps. */
export interface Segment {
  readonly file: string;
  readonly index: number;
  /** The first number of the relay's own that can be in it. */
  readonly firstOut: number;
  bytes: number;
  /** When it was last written to, in milliseconds since 1970. */
  writtenAt: number;
}

const NAME = /^(\d{8})-(\d+)\.log$/;

export function segmentFile(folder: string, index: number, firstOut: number): string {
  return path.join(folder, `${String(index).padStart(8, '0')}-${firstOut}.log`);
}

/** A journal's segments, oldest first. */
export async function listSegments(disk: Disk, folder: string): Promise<Segment[]> {
  const names = (await disk.list(folder)).filter((name) => NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const [, index, firstOut] = NAME.exec(name) ?? [];
      const file = path.join(folder, name);
      const { bytes, changedAt } = await disk.stat(file);
      return {
        file,
        index: Number(index),
        firstOut: Number(firstOut),
        bytes,
        writtenAt: changedAt,
      };
    }),
  );
}

export async function readSegment(disk: Disk, file: string): Promise<ReadRecords> {
  return decodeRecords(await disk.read(file));
}
