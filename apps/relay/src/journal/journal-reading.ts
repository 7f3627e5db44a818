import type { RelayMessage, RelayMessageOf, RequestId } from '#contracts';
import type { ConversationState, UnreadableMessage } from './journal-shapes.js';
import type { HubMessage } from '#contracts';
import { readSegment, type Segment } from './segment-files.js';

/** One of the relay's own messages, with its size on the link. */
export interface Outgoing {
  readonly n: number;
  readonly message: RelayMessage;
  readonly bytes: number;
}

/** The last number that a message stands for: a run that is kept no more has one message for all of it. */
export const lastNumber = ({ n, message }: Pick<Outgoing, 'n' | 'message'>): number =>
  message.kind === 'tombstone' ? n + (message.missing ?? 1) - 1 : n;

/** Own messages of the segment that holds number `from`, from that on. */
export async function readOutgoing(
  segments: readonly Segment[],
  from: number,
  state: Readonly<ConversationState>,
): Promise<Outgoing[]> {
  const at = segments.findLastIndex(({ firstOut }) => firstOut <= from);
  const buried = new Map(state.buried.map(({ n, message }) => [n, message]));
  for (const segment of segments.slice(Math.max(at, 0))) {
    const { records } = await readSegment(segment.file);
    const found = records.flatMap((record) => {
      if (record.r !== 'out' || record.n < from) return [];
      const message = buried.get(record.n) ?? record.message;
      return [{ n: record.n, message, bytes: Buffer.byteLength(JSON.stringify(message)) }];
    });
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * What is to be sent from a number on, where some of it is kept no more (link rule 10): a message in the place of the run
 * that is missing, so that the rest follows it. @param upTo the last number that was ever written
 */
export function withoutHole(
  kept: readonly Outgoing[],
  { from, upTo }: { readonly from: number; readonly upTo: number },
): Outgoing[] {
  const missing = (kept[0]?.n ?? upTo + 1) - from;
  if (missing <= 0) return [...kept];
  const message: RelayMessageOf<'tombstone'> = {
    kind: 'tombstone',
    what: 'not-kept',
    reason: `The machine keeps what the hub has acknowledged for a while only: ${missing} of its messages are gone.`,
    missing,
  };
  const bytes = Buffer.byteLength(JSON.stringify(message));
  return [{ n: from, message, bytes }, ...kept];
}

/** What the hub said after a number, as far as it is kept, and how far its answers had come. */
export interface Said {
  readonly messages: readonly (HubMessage | UnreadableMessage)[];
  readonly progress: ReadonlyMap<RequestId, RelayMessageOf<'answer-progress'>>;
}

export async function readSaid(segments: readonly Segment[], after: number): Promise<Said> {
  const messages: (HubMessage | UnreadableMessage)[] = [];
  const progress = new Map<RequestId, RelayMessageOf<'answer-progress'>>();
  for (const segment of segments) {
    const { records } = await readSegment(segment.file);
    for (const record of records) {
      if (record.r === 'in' && record.n > after) messages.push(record.message);
      if (record.r !== 'out' || record.message.kind !== 'answer-progress') continue;
      progress.set(record.message.requestId, record.message);
    }
  }
  return { messages, progress };
}
