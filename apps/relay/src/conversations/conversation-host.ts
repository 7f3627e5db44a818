import type {
  Acknowledgement,
  ConversationId,
  Delta,
  ProviderDescriptor,
  ProviderId,
} from '#contracts';
import type { Log } from '../log.js';
import type { RuntimeLease } from '../providers/runtime-lease.js';

export interface ConversationTimes {
  /** A session in which nothing happens and nothing waits is put to sleep after this. */
  readonly idleMs: number;
  /** How long a client gets to come up before it counts as hanging. */
  readonly startMs: number;
  /** How long a client gets to close before its processes are stopped. */
  readonly closeMs: number;
  /** How long a client gets to end a turn before its session is closed. */
  readonly interruptMs: number;
  /** When to try again to hand something over after it failed; after the last the next message tries again. */
  readonly retryMs: readonly number[];
}

/** What a conversation uses of its provider. */
export interface ConversationProvider {
  readonly descriptor: ProviderDescriptor;
  acquire(): Promise<RuntimeLease>;
}

/** What a conversation uses of the relay that it runs in. */
export interface ConversationHost {
  readonly log: Log;
  readonly times: ConversationTimes;
  /** Above this much unacknowledged the client is not read any more (link rule 5). */
  readonly mostUnacknowledgedBytes: number;
  readonly children: {
    within<T>(conversationId: ConversationId, work: () => Promise<T>): Promise<T>;
    stopAllOf(conversationId: ConversationId): Promise<void>;
  };
  provider(id: ProviderId): ConversationProvider;
  /** Runs a start when its turn has come: few at once are quicker than many. */
  throttled<T>(start: () => Promise<T>): Promise<T>;
  /** Folders with what belongs to hub and relay, as they really are; no agent's tools read or write there. */
  readonly secretFolders: readonly string[];
  /** How long the hub has been away, in milliseconds; 0 while it is attached. */
  hubAwayMs(): number;
  /** A conversation has something to send. */
  written(conversationId: ConversationId): void;
  delta(conversationId: ConversationId, delta: Delta): void;
  /** A message of the hub's is on the disk. */
  received(acknowledgement: Acknowledgement): void;
}
