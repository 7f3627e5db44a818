import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  CardId,
  RelayEnvelope,
  RequestId,
  type ConversationId,
  type RelayMessage,
} from '#contracts';
import {
  ConversationWrites,
  intakeEffect,
  StoreUnavailable,
  type IntakeEffect,
  type Refusal,
} from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from '../platform/hub-log.js';
import { problemsInWords } from '../platform/schema-problems.js';
import type { RelayConnection } from '../relays/relay-connections.js';
import { Tell } from '../telling/tell.js';
import { ConversationFacts } from './conversation-facts.js';
import { Receipts } from './receipts.js';

/** Where an envelope belongs; what can't even say that can't be answered. */
const EnvelopeHead = RelayEnvelope.pick({ conversationId: true, epoch: true, n: true });
type Place = Pick<RelayEnvelope, 'conversationId' | 'epoch' | 'n'>;

/** A relay's socket is not read while this many of its messages wait for their commit. */
const PAUSED_AT = 2_000;
const GOES_ON_AT = 500;
/** A message that the hub fails at this often is refused. */
const HOPELESS_AFTER = 3;
const UNREADABLE = 'The hub can not read this message.';
const FAILED = 'The hub fails each time that it takes this message; its log says why.';

/** One attached relay's messages on their way into the store. */
export interface IntakeLine {
  readonly connection: RelayConnection;
  readonly receipts: Receipts;
  /** The end of what is being prepared, for each conversation that has something in preparation. */
  readonly preparing: Map<ConversationId, Promise<void>>;
  waiting: number;
  paused: boolean;
}

export const intakeLine = (connection: RelayConnection): IntakeLine => ({
  connection,
  receipts: new Receipts(connection.socket),
  preparing: new Map(),
  waiting: 0,
  paused: false,
});

/**
 * link.1, link.6: takes a relay's messages into the store, each conversation's in order, and acknowledges what
 * is committed. What can't be taken is refused by its number, and the others go on.
 */
@Injectable()
export class Intake {
  /** How often each message has failed for a reason of ours. */
  private readonly failures = new LRUCache<string, number>({ max: 1_000 });

  constructor(
    private readonly writes: ConversationWrites,
    private readonly facts: ConversationFacts,
    private readonly tell: Tell,
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  /** @param message an envelope as it came, not parsed yet */
  take(line: IntakeLine, message: unknown): void {
    const head = EnvelopeHead.safeParse(message);
    if (!head.success) {
      this.log.warn('a message without a place on the link was dropped', {
        relayId: line.connection.relay.id,
        problem: problemsInWords(head.error),
      });
      return;
    }
    try {
      this.takeAt(line, head.data, message);
    } catch (error) {
      // Such as an input that is nested too deep for who reads it: nothing of that kind goes well another time.
      this.log.warn('a message that can not be read was refused', { ...head.data, error });
      this.refuse(line, head.data, UNREADABLE);
    }
  }

  private takeAt(line: IntakeLine, place: Place, message: unknown): void {
    const envelope = RelayEnvelope.safeParse(message);
    if (!envelope.success) {
      this.refuse(line, place, problemsInWords(envelope.error));
      return;
    }
    this.inOrder(line, envelope.data);
  }

  private refuse(line: IntakeLine, place: Place, reason: string): void {
    this.metrics.refusedOfRelay('INVALID');
    line.receipts.refuse({ ...place, code: 'INVALID', reason });
  }

  /** Preparing may ask the store; what follows in the same conversation waits for it. */
  private inOrder(line: IntakeLine, envelope: RelayEnvelope): void {
    const { conversationId, message } = envelope;
    const before = line.preparing.get(conversationId);
    if (before === undefined && message.kind !== 'ask') {
      const effect = this.effect(message, 0);
      this.holdBack(line, 1);
      void this.commit(line, envelope, effect);
      return;
    }
    this.holdBack(line, 1);
    const mine = (before ?? Promise.resolve())
      .then(() => (message.kind === 'ask' ? this.facts.cardWaits(conversationId) : 0))
      .then((waits) => void this.commit(line, envelope, this.effect(message, waits)))
      .catch((error: unknown) => this.giveUp(line, error))
      .finally(() => {
        if (line.preparing.get(conversationId) === mine) line.preparing.delete(conversationId);
      });
    line.preparing.set(conversationId, mine);
  }

  private effect(message: RelayMessage, cardWaits: number): IntakeEffect {
    return intakeEffect(message, {
      newRequestId: () => RequestId.parse(randomUUID()),
      newCardId: () => CardId.parse(randomUUID()),
      cardWaits,
    });
  }

  /** The store keeps the order of what it is given, so nothing waits here for the commit before. */
  private async commit(line: IntakeLine, place: Place, effect: IntakeEffect): Promise<void> {
    const { conversationId, epoch, n } = place;
    const fence = { conversationId, relayId: line.connection.relay.id, epoch, n };
    try {
      const result = await this.writes.write({ kind: 'intake', fence, effect });
      if (result.ok) {
        this.facts.learn(result.committed.conversation);
        this.tell.committed(result.committed);
        line.receipts.acknowledge(conversationId, epoch, n);
      } else {
        this.refused(line, place, result.refusal);
      }
      this.holdBack(line, -1);
    } catch (error) {
      if (this.isHopeless(line, place, error)) {
        this.refuse(line, { conversationId, epoch, n }, FAILED);
        this.holdBack(line, -1);
      } else {
        this.giveUp(line, error);
      }
    }
  }

  /** link.6: what failed again and again for a reason of ours would be sent for ever. */
  private isHopeless(line: IntakeLine, place: Place, error: unknown): boolean {
    if (error instanceof StoreUnavailable) return false;
    const { conversationId, epoch, n } = place;
    const key = `${line.connection.relay.id} ${conversationId} ${epoch} ${n}`;
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    if (failures < HOPELESS_AFTER) return false;
    this.log.error('a message that fails each time was refused', { conversationId, n, error });
    this.failures.delete(key);
    return true;
  }

  private refused(line: IntakeLine, place: Place, refusal: Refusal): void {
    const { conversationId, epoch, n } = place;
    if ('received' in refusal) {
      // Taken before, or a number was skipped: either way the relay goes on from here.
      line.receipts.acknowledge(conversationId, epoch, refusal.received);
      return;
    }
    const stale = refusal.code === 'STALE_EPOCH' || refusal.code === 'NOT_FOUND';
    this.metrics.refusedOfRelay(refusal.code);
    const why = 'reason' in refusal ? refusal.reason : refusal.code;
    line.receipts.refuse({
      ...{ conversationId, epoch, n },
      code: stale ? 'STALE_EPOCH' : 'INVALID',
      reason: stale ? 'This conversation is not assigned to this relay any more.' : why,
    });
  }

  /** Nothing that was not committed is acknowledged: the relay attaches anew and sends it again. */
  private giveUp(line: IntakeLine, error: unknown): void {
    const { relay, socket } = line.connection;
    if (error instanceof StoreUnavailable) this.log.warn('intake waits for the database');
    else this.log.error('intake failed', { relayId: relay.id, error });
    socket.conn.close();
  }

  /** A relay that is faster than the database is not read for a while: TCP holds it back. */
  private holdBack(line: IntakeLine, change: 1 | -1): void {
    line.waiting += change;
    const wire = line.connection.socket.conn.transport as unknown as { socket?: Wire };
    if (!line.paused && line.waiting >= PAUSED_AT) {
      line.paused = true;
      wire.socket?.pause();
    } else if (line.paused && line.waiting <= GOES_ON_AT) {
      line.paused = false;
      wire.socket?.resume();
    }
  }
}

/** The WebSocket under a socket.io connection. */
interface Wire {
  pause(): void;
  resume(): void;
}
