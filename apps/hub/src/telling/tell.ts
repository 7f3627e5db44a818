import { Injectable } from '@nestjs/common';
import type { Committed } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { Outbox } from '../relays/outbox.js';
import { Chronicle } from './chronicle.js';
import { DeadlineTimer } from './deadline-timer.js';
import { KnownCards } from './known-cards.js';

/** The last step of every use case: what was committed is told to devices, to the relay and to the clock. */
@Injectable()
export class Tell {
  constructor(
    private readonly rooms: DeviceRooms,
    private readonly outbox: Outbox,
    private readonly deadlines: DeadlineTimer,
    private readonly cards: KnownCards,
    private readonly chronicle: Chronicle,
  ) {}

  committed(committed: Committed): void {
    // The agent waits; people are told a moment later.
    this.outbox.handOut(committed.conversation.relayId, committed.outbox);
    this.rooms.changed(committed);
    this.deadlines.noticed(committed);
    this.cards.learn(committed);
    this.chronicle.committed(committed);
  }

  /** For a change of very many rows at once: devices read everything again. */
  everythingAnew(): void {
    this.rooms.everythingAnew();
  }
}
