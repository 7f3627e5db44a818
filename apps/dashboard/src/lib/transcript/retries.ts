import { type NoticeItem, type TranscriptItem } from './transcript-item.js';

const isRetry = (item: TranscriptItem | undefined): item is NoticeItem =>
  item?.kind === 'notice' && item.code === 'api-retry';

/** Retries that follow each other are one line, which tells the last of them and whether it is over. */
export function withRetriesJoined(items: readonly TranscriptItem[]): readonly TranscriptItem[] {
  if (!items.some(isRetry)) return items;
  const joined: TranscriptItem[] = [];
  let first: NoticeItem | undefined;
  items.forEach((item, at) => {
    if (!isRetry(item)) {
      joined.push(item);
      return;
    }
    first ??= item;
    if (isRetry(items[at + 1])) return;
    // With the first one's key the line stays the same while it tells of further tries.
    joined.push({ ...item, key: first.key, over: at + 1 < items.length });
    first = undefined;
  });
  return joined;
}
