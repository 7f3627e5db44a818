import { Controller, Module, Res, type OnModuleInit } from '@nestjs/common';
import type { Response } from 'express';
import { ROUTES } from '#contracts';
import { ConversationReads } from '#domain';
import { LiveModule } from '../live/live.module.js';
import { EVERYBODY } from '../live/device-socket.js';
import { Rooms } from '../live/rooms.js';
import { Serves } from '../platform/serves.js';
import { RelayConnections } from '../relays/relay-connections.js';
import { RelaysModule } from '../relays/relays.module.js';
import { HubMetrics } from './hub-metrics.js';

/** What is looked up in the store for one collection of figures. */
type Waiting = Awaited<ReturnType<ConversationReads['waiting']>>;

/** The hub's figures in Prometheus' text format. */
@Controller()
export class MetricsController implements OnModuleInit {
  private waiting: Waiting | undefined;

  constructor(
    private readonly metrics: HubMetrics,
    private readonly reads: ConversationReads,
    private readonly relays: RelayConnections,
    private readonly rooms: Rooms,
  ) {}

  onModuleInit(): void {
    const { metrics } = this;
    const stored = (name: string, help: string, of: (waiting: Waiting) => number): void =>
      metrics.gauge(name, help, () => (this.waiting === undefined ? Number.NaN : of(this.waiting)));
    metrics.gauge('database_reachable', '1 while PostgreSQL answers.', () =>
      this.waiting === undefined ? 0 : 1,
    );
    stored('requests_open', 'Questions that wait for a person.', ({ open }) => open);
    stored('oldest_request_seconds', 'How long the oldest of them waits.', ({ oldestMs }) =>
      Math.max(0, oldestMs / 1000),
    );
    stored(
      'answers_unconfirmed',
      'Answers that their agents have not confirmed.',
      (found) => found.unconfirmed,
    );
    stored(
      'messages_for_relays',
      'Stored messages that relays have not taken.',
      ({ outbox }) => outbox,
    );
    metrics.gauge('relays_attached', 'Relays that are attached.', () => this.relays.count);
    metrics.gauge(
      'device_sockets',
      'Pages and apps that are connected.',
      () => this.rooms.membersOf(EVERYBODY).length,
    );
  }

  @Serves(ROUTES.metrics)
  async figures(@Res({ passthrough: true }) response: Response): Promise<string> {
    // With the database away the figures of the hub itself are wanted all the more.
    this.waiting = await this.reads.waiting().catch(() => undefined);
    response.type(this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}

@Module({ imports: [LiveModule, RelaysModule], controllers: [MetricsController] })
export class MetricsModule {}
