import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ConversationReads } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { CommitDoubts } from '../platform/commit-doubts.js';
import { HubLog } from '../platform/hub-log.js';
import { Outbox } from '../relays/outbox.js';

/** The stored outbox is looked at this often, whatever was told. */
const LOOK_EVERY_MS = 5_000;
/** While the store does not answer. */
const AGAIN_AFTER_MS = 500;
/** The commit may still be under way at the first, where only its connection was cut. */
const LOOKS_A_DOUBT = 2;

/**
 * C11, D6: a commit whose reply was lost is told nevertheless. Once the store answers again, relays are handed what is
 * stored for them and devices get a fresh snapshot.
 */
@Injectable()
export class CatchUp implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  /** How many of the next looks are to give devices a snapshot. */
  private doubtful = 0;
  private running = false;
  private ended = false;

  constructor(
    private readonly reads: ConversationReads,
    private readonly outbox: Outbox,
    private readonly rooms: DeviceRooms,
    private readonly doubts: CommitDoubts,
    private readonly log: HubLog,
  ) {}

  onApplicationBootstrap(): void {
    this.doubts.settledBy(() => {
      this.doubtful = LOOKS_A_DOUBT;
      this.soon(0);
    });
    this.soon(LOOK_EVERY_MS);
  }

  onApplicationShutdown(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  /** A write turned out to have been made before: whatever it handed out is looked for in the store. */
  repeated(): void {
    this.soon(0);
  }

  private soon(wait: number): void {
    if (this.running || this.ended) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), wait).unref();
  }

  private async look(): Promise<void> {
    this.running = true;
    const next = await this.lookNow();
    this.running = false;
    this.soon(next);
  }

  /** @returns milliseconds until the next look */
  private async lookNow(): Promise<number> {
    const asked = this.doubtful;
    this.doubtful = Math.max(asked - 1, 0);
    try {
      await this.reads.now();
      await this.outbox.reread();
    } catch (error) {
      this.log.debug('the store does not answer yet', { error });
      this.doubtful = Math.max(this.doubtful, asked);
      return AGAIN_AFTER_MS;
    }
    if (asked > 0) this.rooms.everythingAnew();
    // A doubt that came meanwhile has its own looks.
    return this.doubtful === LOOKS_A_DOUBT ? 0 : LOOK_EVERY_MS;
  }
}
