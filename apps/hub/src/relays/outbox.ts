import { Injectable } from '@nestjs/common';
import type { Acknowledgement, HubEnvelope, RelayId } from '#contracts';
import { LinkStore } from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from '../platform/hub-log.js';
import { inFrames } from './link-frames.js';
import {
  RelayConnections,
  type AttachedRelay,
  lineKey,
  type Assignment,
  type Line,
  type LineKey,
  type RelayConnection,
} from './relay-connections.js';

/** Messages read and sent at a time. */
const READ_AT_ONCE = 100;
/** How long acknowledged messages may stay in the store. */
const FORGET_EVERY_MS = 500;

/**
 * link.1: hands the hub's messages to their relay, each conversation's in the order of their numbers. The
 * stored outbox is the truth: whatever is not at hand in order is read from there.
 */
@Injectable()
export class Outbox {
  /** Committed in this turn of the event loop. */
  private fresh = new Map<RelayId, HubEnvelope[]>();
  private flushDue = false;
  private readonly forgetting = new Map<RelayId, Map<LineKey, Acknowledgement>>();
  private forgetDue = false;

  constructor(
    private readonly link: LinkStore,
    private readonly connections: RelayConnections,
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  /** Messages of a committed write; where the relay is away they wait in the store. */
  handOut(relayId: RelayId, envelopes: readonly HubEnvelope[]): void {
    const connection = this.connections.find(relayId);
    if (envelopes.length === 0 || connection === undefined) return;
    if (this.areNext(connection, envelopes)) {
      this.send(relayId, [...envelopes]);
      return;
    }
    this.fresh.set(relayId, [...(this.fresh.get(relayId) ?? []), ...envelopes]);
    if (this.flushDue) return;
    this.flushDue = true;
    setImmediate(() => {
      this.flushDue = false;
      const all = this.fresh;
      this.fresh = new Map();
      for (const [id, messages] of all) this.send(id, messages);
    });
  }

  /** After an attach was answered: everything that the relay has not got, then whatever is committed. */
  open(
    connection: RelayConnection,
    behind: readonly (Assignment & { readonly received: number })[],
  ): void {
    const { relay } = connection;
    const meanwhile = relay.opening ?? new Map();
    delete relay.opening;
    for (const { received, ...assignment } of behind) {
      meanwhile.delete(lineKey(assignment));
      this.sendFrom(connection, assignment, received);
    }
    for (const assignment of meanwhile.values()) this.sendFrom(connection, assignment, 0);
  }

  /**
   * Hands out what is stored and was never handed out here: a commit whose reply was lost, or another hub's.
   * Rejects where the store can't be read; what was found by then is on its way.
   */
  async reread(): Promise<void> {
    for (const connection of this.connections.all()) {
      for (const { sent, ...cursor } of await this.link.cursors(connection.relay.id, [])) {
        if (this.connections.find(connection.relay.id) !== connection) break;
        this.goOnFrom(connection, cursor, sent);
      }
    }
  }

  /** @param stored number of the last message that is stored for the assignment */
  private goOnFrom(connection: RelayConnection, assignment: Assignment, stored: number): void {
    const { lines, lastSent, opening } = connection.relay;
    const key = lineKey(assignment);
    if (opening !== undefined) {
      opening.set(key, assignment);
      return;
    }
    const sent = lines.get(key)?.sent ?? lastSent.get(key) ?? 0;
    if (sent >= stored) return;
    if (!lines.has(key)) lines.set(key, { sent });
    this.readOn(connection, assignment);
  }

  /** The relay has fsynced these. Said again without getting on, it means that a number is missing there. */
  acknowledged(connection: RelayConnection, upTo: readonly Acknowledgement[]): void {
    const { lines, lastSent, id } = connection.relay;
    this.has(id, upTo);
    for (const acknowledgement of upTo) {
      const { n } = acknowledgement;
      const key = lineKey(acknowledgement);
      const line = lines.get(key);
      if (line === undefined) continue;
      if (n >= line.sent && line.reading === undefined) {
        lines.delete(key);
        lastSent.set(key, line.sent);
      } else if (line.acknowledged !== undefined && n <= line.acknowledged) {
        this.sendFrom(connection, acknowledgement, n);
      } else {
        line.acknowledged = n;
      }
    }
  }

  /** The relay has these on its disk, told to this hub or to one before: they are forgotten soon. */
  has(id: RelayId, upTo: readonly Acknowledgement[]): void {
    const forgetting = this.forgetting.get(id) ?? new Map<LineKey, Acknowledgement>();
    for (const acknowledgement of upTo) {
      if (acknowledgement.n > 0) forgetting.set(lineKey(acknowledgement), acknowledgement);
    }
    if (forgetting.size === 0) return;
    this.forgetting.set(id, forgetting);
    this.forgetSoon();
  }

  /** Whether they follow what was sent last, so that nothing has to be waited for. */
  private areNext({ relay }: RelayConnection, envelopes: readonly HubEnvelope[]): boolean {
    if (relay.opening !== undefined || this.flushDue) return false;
    return envelopes.every((envelope, index) => {
      const key = lineKey(envelope);
      const line = relay.lines.get(key);
      const sent = line === undefined ? relay.lastSent.get(key) : line.sent;
      return line?.reading === undefined && envelope.n - index - 1 === sent;
    });
  }

  private sendFrom(connection: RelayConnection, assignment: Assignment, n: number): void {
    const { lines } = connection.relay;
    const key = lineKey(assignment);
    if (lines.get(key)?.reading !== undefined) return;
    lines.set(key, { sent: n });
    this.readOn(connection, assignment);
  }

  private send(relayId: RelayId, messages: HubEnvelope[]): void {
    const connection = this.connections.find(relayId);
    if (connection === undefined) return;
    const { lines, opening } = connection.relay;
    if (opening !== undefined) {
      for (const message of messages) opening.set(lineKey(message), message);
      return;
    }
    const inOrder = messages
      .sort((a, b) => a.n - b.n)
      .filter((message) => {
        const key = lineKey(message);
        const line = lines.get(key) ?? newLine(connection.relay, message);
        lines.set(key, line);
        if (line.reading === undefined && message.n === line.sent + 1) {
          line.sent = message.n;
          return true;
        }
        if (message.n > line.sent) this.readOn(connection, message);
        return false;
      });
    this.emit(connection, inOrder, 'commit');
  }

  private readOn(connection: RelayConnection, assignment: Assignment): void {
    const line = connection.relay.lines.get(lineKey(assignment));
    if (line === undefined) return;
    if (line.reading !== undefined) {
      line.reading.again = true;
      return;
    }
    line.reading = { again: true };
    void this.readAndSend(connection, assignment, line).catch((error: unknown) => {
      // The relay attaches anew and is given everything that it has not got.
      this.log.warn('the outbox could not be read', { relayId: connection.relay.id, error });
      connection.socket.conn.close();
    });
  }

  private async readAndSend(
    connection: RelayConnection,
    assignment: Assignment,
    line: Line,
  ): Promise<void> {
    while (line.reading?.again === true) {
      line.reading.again = false;
      const messages = await this.link.outbox(assignment, line.sent, READ_AT_ONCE);
      const last = messages.at(-1);
      if (last === undefined) continue;
      this.emit(connection, messages, 'store');
      line.sent = last.n;
      if (messages.length === READ_AT_ONCE) line.reading.again = true;
    }
    delete line.reading;
  }

  private emit(
    { socket }: RelayConnection,
    messages: readonly HubEnvelope[],
    from: 'commit' | 'store',
  ): void {
    for (const frame of inFrames(messages)) socket.emit('messages', { messages: frame });
    if (messages.length > 0) this.metrics.sentToRelay(messages.length, from);
  }

  /** Nobody waits for it, and it would cost the writes that somebody waits for their commits. */
  private forgetSoon(): void {
    if (this.forgetDue) return;
    this.forgetDue = true;
    setTimeout(() => void this.forget(), FORGET_EVERY_MS).unref();
  }

  private async forget(): Promise<void> {
    const all = [...this.forgetting];
    this.forgetting.clear();
    try {
      for (const [relayId, upTo] of all) {
        await this.link.acknowledged(relayId, [...upTo.values()]);
      }
    } catch (error) {
      // What stays in the store is sent again after the next attach, acknowledged again, and forgotten then.
      this.log.warn('acknowledged messages stay in the store', { error });
    } finally {
      this.forgetDue = false;
      if (this.forgetting.size > 0) this.forgetSoon();
    }
  }
}

/** All before it was acknowledged; what the relay says of an earlier number therefore means a gap. */
function newLine({ lastSent }: AttachedRelay, message: HubEnvelope): Line {
  const sent = lastSent.get(lineKey(message)) ?? message.n - 1;
  return { sent, acknowledged: sent };
}
