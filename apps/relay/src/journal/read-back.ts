import type { ConversationId } from '#contracts';
import type { Disk } from '../disk/disk.js';
import { applyRecord, newConversationState } from './conversation-state.js';
import type { ReadRecords } from './journal-record.js';
import type { JournalOptions } from './journal-options.js';
import type { ConversationState } from './journal-shapes.js';
import { listSegments, readSegment, type Segment } from './segment-files.js';

/** Which journal it is: what its folder is named after. */
export interface JournalPlace {
  readonly conversationId: ConversationId;
  readonly epoch: number;
}

/** A journal as an earlier life of the relay left it, however that ended. */
export interface ReadBack {
  readonly state: ConversationState;
  /** Those that are read on, oldest first; the last one ends with its last good line. */
  readonly segments: Segment[];
  /** Files in which nothing could be read: a segment that was only begun, or damage. To be put aside. */
  readonly unreadable: readonly string[];
}

/** Well above the time after which systems write by themselves what nobody has synced (Linux: 30 s). */
const SYSTEM_SYNCS_MS = 300_000;

interface Read {
  readonly segment: Segment;
  readonly contents: ReadRecords;
}

/**
 * Reads a journal back from its newest beginning on; where that is damaged, from the one before it. What is
 * damaged is left out, marked in the state, and the rest is taken. Undefined where nothing can be read at all.
 */
export async function readBack(
  disk: Disk,
  folder: string,
  place: JournalPlace,
): Promise<ReadBack | undefined> {
  const all = await listSegments(disk, folder);
  const { read, unreadable, failed } = await readFromBeginning(disk, all);
  const [oldest] = read;
  const newest = read.at(-1);
  if (oldest === undefined || newest === undefined) return undefined;
  const state = fold(read, place);
  // A file's name tells what had been sent when it was begun.
  state.sent = Math.max(state.sent, ...all.map(({ firstOut }) => firstOut - 1));
  if (failed || isDamaged(read, all, unreadable)) markDamaged(state);
  newest.segment.bytes = newest.contents.goodBytes;
  const segments = all.filter((segment) => !unreadable.includes(segment));
  return { state, segments, unreadable: unreadable.map(({ file }) => file) };
}

async function readFromBeginning(
  disk: Disk,
  all: readonly Segment[],
): Promise<{ read: Read[]; unreadable: Segment[]; failed: boolean }> {
  const read: Read[] = [];
  const unreadable: Segment[] = [];
  let failed = false;
  for (const segment of [...all].reverse()) {
    const contents = await readSegment(disk, segment.file).catch(() => undefined);
    failed ||= contents === undefined;
    const first = contents?.found[0]?.record;
    if (contents === undefined || first === undefined) unreadable.push(segment);
    else read.unshift({ segment, contents });
    if (first?.r === 'begin') break;
  }
  return { read, unreadable, failed };
}

function fold(read: readonly Read[], place: JournalPlace): ConversationState {
  const state = newConversationState(place);
  // Segments are removed once all of them is acknowledged.
  state.acked = (read[0]?.segment.firstOut ?? 1) - 1;
  state.sent = state.acked;
  for (const { contents } of read) {
    for (const { record } of contents.found) applyRecord(state, record);
  }
  return state;
}

/** A newest file without a whole line is what a relay leaves that was killed while it began a segment. */
function isDamaged(
  read: readonly Read[],
  all: readonly Segment[],
  unreadable: readonly Segment[],
): boolean {
  const begins = read[0]?.contents.found[0]?.record.r === 'begin';
  const older = unreadable.some((segment) => segment !== all.at(-1));
  return !begins || older || read.length > 1 || read.some(({ contents }) => contents.isDamaged);
}

/** An attempt may have been among what is lost: the client's own record is asked before anything is handed over. */
function markDamaged(state: ConversationState): void {
  const to = state;
  to.damaged = true;
  for (const work of to.work) {
    const way = work.kind === 'answer' ? 'tool' : 'message';
    work.attempt ??= { way, possibleRepeat: false };
  }
}

/** What a killed life of the relay wrote last may not be on the disk yet: brings it there. Never rejects. */
export async function settle(
  { file, writtenAt }: Segment,
  { disk, now, trouble }: Pick<JournalOptions, 'disk' | 'now' | 'trouble'>,
): Promise<void> {
  if (now() - writtenAt > SYSTEM_SYNCS_MS) return;
  try {
    const open = await disk.open(file);
    await open.datasync().finally(() => open.close());
  } catch (error) {
    trouble(error, file);
  }
}
