import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ConversationWrites, StoreUnavailable, type Committed } from '#domain';
import { HubLog } from '../platform/hub-log.js';
import { DeadlineTimer } from '../telling/deadline-timer.js';
import { Tell } from '../telling/tell.js';

/** Requests closed in one transaction. */
const AT_ONCE = 200;

/** C7, C8: closes what nobody answered in time, also what fell due while no hub ran. */
@Injectable()
export class ExpireCards implements OnApplicationBootstrap {
  constructor(
    private readonly writes: ConversationWrites,
    private readonly tell: Tell,
    private readonly timer: DeadlineTimer,
    private readonly log: HubLog,
  ) {}

  onApplicationBootstrap(): void {
    this.timer.start(() => this.expireDue());
  }

  /** Gives the milliseconds until the next deadline, where there is one. */
  async expireDue(): Promise<number | undefined> {
    try {
      await this.seeClock();
      for (;;) {
        const tell = (committed: Committed): void => this.tell.committed(committed);
        const expired = await this.writes.expireDue(AT_ONCE, tell);
        if (expired.length < AT_ONCE) break;
      }
      return await this.writes.nextDeadlineIn();
    } catch (error) {
      if (error instanceof StoreUnavailable) this.log.warn('deadlines wait for the database');
      else this.log.error('deadlines could not be looked at', { error });
      throw error;
    }
  }

  /** First of all: what fell due while nobody could answer is given time before anything is closed. */
  private async seeClock(): Promise<void> {
    const given = await this.writes.watchClock();
    if (given === undefined) return;
    this.log.warn('the clock ran on unseen; open requests were given time', { requests: given });
    if (given > 0) this.tell.everythingAnew();
  }
}
