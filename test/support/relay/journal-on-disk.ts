import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ConversationId } from '#contracts';
import { encodeRecord } from '../../../apps/relay/src/journal/journal-record.js';

type JournalRecord = Parameters<typeof encodeRecord>[0];

/** The segments of a conversation's journal in its first epoch, oldest first. */
function segments(home: string, id: ConversationId): string[] {
  const folder = path.join(home, 'journals', `${id}@1`);
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name));
}

/** What of a conversation is on the disk at this moment. */
export const journalOnDisk = (home: string, id: ConversationId): string =>
  segments(home, id)
    .map((file) => readFileSync(file, 'utf8'))
    .join('');

/** Writes what a relay wrote that was killed right after; only while none runs. */
export function appendToJournal(home: string, id: ConversationId, record: JournalRecord): void {
  appendFileSync(segments(home, id).at(-1) ?? '', encodeRecord(record));
}
