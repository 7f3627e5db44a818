import { type TranscriptItem } from './transcript-item.js';

/** Why a turn was interrupted that nobody stopped and that no answer resumes. */
const CUTS = new Set(['relay-restarted']);

/** Whether the last turn ended because what ran it was gone: it goes on only when the person says so. */
export function isCutShort(items: readonly TranscriptItem[]): boolean {
  const end = items.findLastIndex((item) => item.kind === 'turn-end');
  const last = items[end];
  if (last?.kind !== 'turn-end' || last.outcome !== 'interrupted') return false;
  if (items.slice(end).some((item) => item.kind === 'message' && item.state === 'taken')) {
    return false;
  }
  const before = items[end - 1];
  return before?.kind === 'notice' && CUTS.has(before.code);
}
