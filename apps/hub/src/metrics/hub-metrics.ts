import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CardRequest, ErrorCode } from '#contracts';
import type { Committed } from '#domain';

/** Seconds: a person's answer takes from a moment to the 8 hours of a deadline. */
const WAITS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 28_800];
/** Seconds: what a machine does. */
const WORK = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * What an operator asks: how many wait and for how long, what is slow, what failed, what may have been sent twice.
 * Nothing of what people and agents say is in it, and no label grows with conversations or devices.
 */
@Injectable()
export class HubMetrics {
  readonly registry = new Registry();

  private readonly opened = this.counter('requests_opened', 'Questions that agents asked.');
  private readonly waited = new Histogram({
    name: 'coxswain_request_wait_seconds',
    help: 'From question to its end, by how it ended.',
    labelNames: ['outcome'] as const,
    buckets: WAITS,
    registers: [this.registry],
  });
  private readonly delivered = new Histogram({
    name: 'coxswain_answer_delivery_seconds',
    help: 'From the last card settled to what is known of the delivery.',
    labelNames: ['delivery'] as const,
    buckets: [...WORK, ...WAITS.filter((seconds) => seconds > 10)],
    registers: [this.registry],
  });
  private readonly repeats = this.counter('possible_repeats', 'Answers sent marked as a repeat.');
  private readonly turns = this.counter('turns_ended', 'Turns of agents, by how they ended.', [
    'provider',
    'outcome',
  ]);
  private readonly refusals = this.counter('refusals', 'Requests of devices that were refused.', [
    'code',
  ]);
  private readonly http = new Histogram({
    name: 'coxswain_http_seconds',
    help: 'From a request’s first byte to the last of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: WORK,
    registers: [this.registry],
  });
  private readonly flushes = new Histogram({
    name: 'coxswain_flush_seconds',
    help: 'One transaction of the batcher, by what became of it.',
    labelNames: ['outcome'] as const,
    buckets: WORK,
    registers: [this.registry],
  });
  private readonly batches = new Histogram({
    name: 'coxswain_flush_writes',
    help: 'Writes that share a transaction.',
    buckets: [1, 2, 5, 10, 25, 50, 100, 200, 400],
    registers: [this.registry],
  });
  private readonly sent = this.counter(
    'relay_messages_sent',
    'To relays: right after their commit, or read from the store for one that was away or lacked some.',
    ['from'],
  );
  private readonly refused = this.counter('relay_messages_refused', 'From relays, for good.', [
    'code',
  ]);
  private readonly attaches = this.counter('relay_attaches', 'Times that a relay attached.');

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** A figure that is looked up when somebody asks. */
  gauge(name: string, help: string, read: () => Promise<number> | number): void {
    new Gauge({
      name: `coxswain_${name}`,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await read());
      },
    });
  }

  committed({ conversation, events, requests }: Committed): void {
    for (const { body, at } of events) {
      if (body.kind === 'request-opened') this.opened.inc();
      if (body.kind === 'turn-ended') {
        this.turns.inc({ provider: conversation.provider, outcome: body.outcome });
      }
      if (body.kind !== 'request-closed' && body.kind !== 'delivery-changed') continue;
      const request = requests.find(({ id }) => id === body.requestId);
      if (request === undefined) continue;
      if (body.kind === 'request-closed') {
        this.waited.observe({ outcome: body.outcome }, seconds(request.openedAt, at));
      } else {
        this.deliveryChanged(request, { delivery: body.delivery, at });
      }
    }
  }

  private deliveryChanged(request: CardRequest, of: { delivery: string; at: number }): void {
    const { delivery, at } = of;
    const since = settledAt(request);
    if (since !== undefined) this.delivered.observe({ delivery }, seconds(since, at));
    if (request.possibleRepeat && delivery !== 'handed') this.repeats.inc();
  }

  refusedRequest(code: ErrorCode): void {
    this.refusals.inc({ code });
  }

  served(of: { method: string; route: string; status: number; seconds: number }): void {
    const { method, route, status } = of;
    this.http.observe({ method, route, status: String(status) }, of.seconds);
  }

  flushed(of: { writes: number; seconds: number; outcome: string }): void {
    this.flushes.observe({ outcome: of.outcome }, of.seconds);
    this.batches.observe(of.writes);
  }

  sentToRelay(messages: number, from: 'commit' | 'store'): void {
    this.sent.inc({ from }, messages);
  }

  refusedOfRelay(code: string): void {
    this.refused.inc({ code });
  }

  relayAttached(): void {
    this.attaches.inc();
  }

  private counter<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({
      name: `coxswain_${name}_total`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }
}

function settledAt({ cards }: CardRequest): number | undefined {
  const times = cards.flatMap(({ settlement }) => settlement?.at ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

const seconds = (from: number, to: number): number => Math.max(0, to - from) / 1000;
