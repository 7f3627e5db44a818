import { type CardRequest } from '#contracts';
import { type ToolItem, type TranscriptItem } from './transcript-item.js';

/**
 * Tools that are at work, those of sub-agents included: what a change of the mode does not touch any more (M6). A call that
 * waits for the person is not at work.
 */
export function runningTools(
  items: readonly TranscriptItem[],
  open: readonly CardRequest[],
): ToolItem[] {
  const waiting = new Set<string>(open.map(({ toolCallId }) => toolCallId));
  const at = (all: readonly TranscriptItem[]): ToolItem[] =>
    all.flatMap((item) => {
      if (item.kind !== 'tool') return [];
      const below = at(item.children);
      const works = item.state === 'running' && !waiting.has(item.toolCallId);
      // A sub-agent is at work by what it does.
      return works && below.length === 0 ? [item] : below;
    });
  return at(items);
}
