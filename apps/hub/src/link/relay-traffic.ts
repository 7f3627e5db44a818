import { Injectable } from '@nestjs/common';
import type {
  Acknowledgement,
  ConversationId,
  Delta,
  ProviderStatus,
  RelayCursor,
  RelayId,
} from '#contracts';
import { DeviceRooms } from '../live/device-rooms.js';
import { Outbox } from '../relays/outbox.js';
import type { AttachedRelay, RelaySocket } from '../relays/relay-connections.js';
import type { PlacedNow } from './attach-relay.js';
import { ConversationFacts } from './conversation-facts.js';
import { Intake, intakeLine, type IntakeLine } from './intake.js';
import { Presence } from './presence.js';

/** What goes over an attached relay's connection. */
@Injectable()
export class RelayTraffic {
  private readonly lines = new WeakMap<RelaySocket, IntakeLine>();

  constructor(
    private readonly intake: Intake,
    private readonly outbox: Outbox,
    private readonly facts: ConversationFacts,
    private readonly rooms: DeviceRooms,
    private readonly presence: Presence,
  ) {}

  /** After the relay has been answered: it is sent what it has not got, and devices are told. */
  begin(socket: RelaySocket, { relay, isAll }: PlacedNow): void {
    const connection = { socket, relay };
    this.lines.set(socket, intakeLine(connection));
    this.presence.attached(relay);
    if (isAll) this.open(socket, relay);
  }

  /** After the last page of its places: only now is it known which numbers the relay has. */
  open(socket: RelaySocket, relay: AttachedRelay): void {
    this.outbox.open({ socket, relay }, relay.behind ?? []);
    delete relay.behind;
  }

  /** Where the relay says that it is: whatever it has need not be kept for it. */
  has(relayId: RelayId, cursors: readonly RelayCursor[]): void {
    const upTo = cursors.map(({ conversationId, epoch, received: n }) => {
      return { conversationId, epoch, n };
    });
    this.outbox.has(relayId, upTo);
  }

  async end(socket: RelaySocket): Promise<void> {
    this.lines.delete(socket);
    await this.presence.gone(socket);
  }

  messages(socket: RelaySocket, messages: readonly unknown[]): void {
    const line = this.lines.get(socket);
    if (line === undefined) return;
    for (const message of messages) this.intake.take(line, message);
  }

  acknowledged(socket: RelaySocket, upTo: readonly Acknowledgement[]): void {
    const line = this.lines.get(socket);
    if (line !== undefined) this.outbox.acknowledged(line.connection, upTo);
  }

  /** Only of conversations that this relay runs; they are shown and forgotten. */
  deltas(socket: RelaySocket, conversationId: ConversationId, deltas: readonly Delta[]): void {
    const relayId = socket.data.attached?.id;
    if (relayId === undefined || !this.facts.runsOn(conversationId, relayId)) return;
    this.rooms.streaming(conversationId, deltas);
  }

  providerStatus(socket: RelaySocket, status: ProviderStatus): void {
    const relayId = socket.data.attached?.id;
    if (relayId !== undefined) this.presence.status(relayId, status);
  }
}
