import type { HubMessage, RelayMessageOf, RequestId } from '#contracts';
import type { Disk } from '../disk/disk.js';
import type { UnreadableMessage } from './journal-shapes.js';
import { readSegment, type Segment } from './segment-files.js';

/** What the hub said after a number, as far as it is kept, and how far its answers had come. */
export interface Said {
  readonly messages: readonly (HubMessage | UnreadableMessage)[];
  readonly progress: ReadonlyMap<RequestId, RelayMessageOf<'answer-progress'>>;
}

export async function readSaid(
  disk: Disk,
  segments: readonly Segment[],
  after: number,
): Promise<Said> {
  const messages: (HubMessage | UnreadableMessage)[] = [];
  const progress = new Map<RequestId, RelayMessageOf<'answer-progress'>>();
  for (const segment of segments) {
    const { found } = await readSegment(disk, segment.file);
    for (const { record } of found) {
      if (record.r === 'in' && record.n > after) messages.push(record.message);
      if (record.r !== 'out' || record.message.kind !== 'answer-progress') continue;
      progress.set(record.message.requestId, record.message);
    }
  }
  return { messages, progress };
}
