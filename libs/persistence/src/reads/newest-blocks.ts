import type { StoredEvent } from '#contracts';

/** The newest events that make up `blocks` blocks; a block that came in parts counts once and is not cut. */
export function newestBlocks(events: readonly StoredEvent[], blocks: number): StoredEvent[] {
  let left = blocks;
  let from = events.length;
  while (from > 0 && left > 0) {
    from -= 1;
    if (!continuesBlock(events[from])) left -= 1;
  }
  return events.slice(from);
}

function continuesBlock(event: StoredEvent | undefined): boolean {
  return event !== undefined && 'part' in event.body && (event.body.part?.index ?? 0) > 0;
}
