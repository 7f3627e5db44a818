import type { ConversationTimes } from './conversations/conversation-host.js';
import type { JournalStoreOptions } from './journal/journal-store.js';

const MINUTE = 60_000;
const MB = 1024 * 1024;

/** Every size and span of time that a relay goes by, in bytes and milliseconds. */
export interface RelayLimits
  extends ConversationTimes, Omit<JournalStoreOptions, 'now' | 'trouble' | 'damaged' | 'disk'> {
  /** Sessions that may be starting at the same time. */
  readonly startsAtOnce: number;
  /** Link rule 5: above this much that the hub has not acknowledged, a client is not read any more. */
  readonly mostUnacknowledgedBytes: number;
  /** How often what is idle is let go. */
  readonly sweepMs: number;
  /** How often it is looked whether providers are signed in. */
  readonly statusMs: number;
  /** How long a relay that stops waits for the hub to take its last words. */
  readonly goodbyeMs: number;
}

export const RELAY_LIMITS: RelayLimits = {
  idleMs: 10 * MINUTE,
  startMs: 2 * MINUTE,
  closeMs: 5_000,
  interruptMs: 20_000,
  retryMs: [5_000, 30_000, 2 * MINUTE, 10 * MINUTE],
  startsAtOnce: 2,
  segmentBytes: 4 * MB,
  restBytes: MB / 16,
  keptMs: 7 * 24 * 60 * MINUTE,
  keptBytes: 256 * MB,
  mostUnacknowledgedBytes: 256 * MB,
  tailBytes: 512 * 1024,
  retryWriteMs: 2_000,
  diskWaitMs: 2_000,
  lookOverMs: 60 * MINUTE,
  sweepMs: 1_000,
  statusMs: MINUTE,
  goodbyeMs: 1_000,
};
