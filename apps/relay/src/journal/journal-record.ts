import { crc32 } from 'node:zlib';
import type { HubMessage, RelayMessage, RelayMessageOf } from '#contracts';
import type { ConversationState } from './conversation-state.js';

/** Which way a result or a message is handed to a client; fsynced before it is (link rule 4). */
export interface Attempt {
  /** `tool`: as the result of the call that waits. `message`: as the next message to the agent. */
  readonly way: 'tool' | 'message';
  /** Marked to the agent as something that it may have been told before (C11). */
  readonly possibleRepeat: boolean;
}

/** A message of the hub's with a number in place, whose body this relay could not read. */
export interface UnreadableMessage {
  readonly kind: 'unreadable';
  readonly problem: string;
}

/** One line of a journal. Short names, because every streamed block is one. */
export type JournalRecord =
  /** First of every segment: all that came before, so that older segments need not be read again. */
  | { readonly r: 'begin'; readonly state: ConversationState }
  | { readonly r: 'out'; readonly n: number; readonly message: RelayMessage }
  | { readonly r: 'in'; readonly n: number; readonly message: HubMessage | UnreadableMessage }
  /** The hub has committed everything up to `n`. */
  | { readonly r: 'acked'; readonly n: number }
  /** The hub refused `n` for good: this stands in its place (link rule 6). */
  | { readonly r: 'bury'; readonly n: number; readonly message: RelayMessageOf<'tombstone'> }
  | { readonly r: 'attempt'; readonly n: number; readonly attempt: Attempt }
  /** The work of the hub's message `n` is given up; a notice says why. */
  | { readonly r: 'drop'; readonly n: number };

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
