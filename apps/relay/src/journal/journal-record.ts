import { crc32 } from 'node:zlib';
import type { JournalRecord } from './journal-shapes.js';

/** A record as its line: CRC-32 of the JSON in eight hexadecimal digits, a blank, the JSON, a line feed. */
export function encodeRecord(record: JournalRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record));
  return Buffer.concat([Buffer.from(`${checksum(json)} `), json, Buffer.from('\n')]);
}

const checksum = (bytes: Buffer): string => crc32(bytes).toString(16).padStart(8, '0');

const HEAD = 9;
const LINE_FEED = 0x0a;

/** What could be read of a segment. `goodBytes` is smaller than the file where its tail is torn. */
export interface ReadRecords {
  readonly records: JournalRecord[];
  readonly goodBytes: number;
}

/** Reads records up to the first line that is torn or damaged: what follows it can't be trusted. */
export function decodeRecords(bytes: Buffer): ReadRecords {
  const records: JournalRecord[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, at);
    const record = end < 0 ? undefined : decodeLine(bytes.subarray(at, end));
    if (record === undefined) break;
    records.push(record);
    at = end + 1;
  }
  return { records, goodBytes: at };
}

/** The checksum holds, so this process wrote it and its shape needs no second check. */
function decodeLine(line: Buffer): JournalRecord | undefined {
  if (line.length < HEAD) return undefined;
  const json = line.subarray(HEAD);
  if (line.subarray(0, HEAD - 1).toString('latin1') !== checksum(json)) return undefined;
  return JSON.parse(json.toString()) as JournalRecord;
}
