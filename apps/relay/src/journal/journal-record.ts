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

/** A record and where its line stands, in bytes. */
export interface PlacedRecord {
  readonly record: JournalRecord;
  readonly at: number;
  readonly length: number;
}

/** What could be read of a segment. */
export interface ReadRecords {
  readonly found: readonly PlacedRecord[];
  /** Up to the end of the last good line; smaller than the file where its tail is torn. */
  readonly goodBytes: number;
  /** A line is damaged that others follow: no write that was cut off leaves that behind. */
  readonly isDamaged: boolean;
}

/** Reads every line whose checksum holds; each stands for itself, so that a damaged one takes no other with it. */
export function decodeRecords(bytes: Buffer): ReadRecords {
  const found: PlacedRecord[] = [];
  let goodBytes = 0;
  let isDamaged = false;
  for (let at = 0, end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, at)) {
    const record = decodeLine(bytes.subarray(at, end));
    if (record !== undefined) {
      isDamaged ||= at !== goodBytes;
      goodBytes = end + 1;
      found.push({ record, at, length: goodBytes - at });
    }
    at = end + 1;
  }
  return { found, goodBytes, isDamaged };
}

/** The checksum holds, so this program wrote it and its shape needs no second check. */
function decodeLine(line: Buffer): JournalRecord | undefined {
  if (line.length < HEAD) return undefined;
  const json = line.subarray(HEAD);
  if (line.subarray(0, HEAD - 1).toString('latin1') !== checksum(json)) return undefined;
  return JSON.parse(json.toString()) as JournalRecord;
}
