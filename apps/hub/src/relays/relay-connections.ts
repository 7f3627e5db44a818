import { Injectable } from '@nestjs/common';
import type { LRUCache } from 'lru-cache';
import type { DefaultEventsMap, Socket } from 'socket.io';
import type {
  HubEnvelope,
  HubToRelayEvents,
  ProviderOnRelay,
  RelayId,
  RelayToHubEvents,
} from '#contracts';
import { HubRefusal } from '../platform/hub-refusal.js';

/** One assignment of a conversation to a relay: an epoch has numbers of its own (link rules 1 and 2). */
export type Assignment = Pick<HubEnvelope, 'conversationId' | 'epoch'>;
export type LineKey = `${string}@${number}`;
export const lineKey = ({ conversationId, epoch }: Assignment): LineKey =>
  `${conversationId}@${epoch}`;

/** How far one assignment's messages to the relay have come; kept only while some are not acknowledged. */
export interface Line {
  /** Number of the last one sent over this connection. */
  sent: number;
  /** Number of the last one acknowledged, where one was. */
  acknowledged?: number;
  /** Set while the stored messages are being read and sent; those committed meanwhile are read as well. */
  reading?: { again: boolean };
}

/** What is kept of a connected relay. */
export interface RelaySocketData {
  /** What it was challenged with, between `hello` and `attach`. */
  challenge?: { relayKey: string; nonce: string };
  attached?: AttachedRelay;
  /** What it said of the hubs that it was attached to before (link rule 10). */
  said?: {
    readonly relayId: RelayId;
    readonly incarnation: string | undefined;
    readonly runs: readonly string[];
    readonly hasLaterToken: boolean;
  };
}

export interface AttachedRelay {
  readonly id: RelayId;
  readonly instance: string;
  readonly name: string;
  readonly version: string;
  /** Of the token that it was given with its attach (link rule 7). */
  nextTokenHash?: string;
  /** How far it has what this hub sent, collected while it tells where it is. */
  behind?: readonly (Assignment & { readonly received: number })[];
  /** By the database's clock. */
  readonly since: number;
  providers: readonly ProviderOnRelay[];
  readonly lines: Map<LineKey, Line>;
  /** Number of the last message, for the assignments all of whose messages were acknowledged last. */
  readonly lastSent: LRUCache<LineKey, number>;
  /** While it has not been answered yet: assignments with something for it, to be read from the store. */
  opening?: Map<LineKey, Assignment>;
}

export type RelaySocket = Socket<
  RelayToHubEvents,
  HubToRelayEvents,
  DefaultEventsMap,
  RelaySocketData
>;

export interface RelayConnection {
  readonly socket: RelaySocket;
  readonly relay: AttachedRelay;
}

/** The relays that are attached to this hub now: one connection each. */
@Injectable()
export class RelayConnections {
  private readonly connections = new Map<RelayId, RelayConnection>();

  get count(): number {
    return this.connections.size;
  }

  find(id: RelayId): RelayConnection | undefined {
    return this.connections.get(id);
  }

  all(): RelayConnection[] {
    return [...this.connections.values()];
  }

  /** The connection; throws `RELAY_AWAY` when there is none. */
  demand(id: RelayId): RelayConnection {
    const connection = this.connections.get(id);
    if (connection === undefined) throw relayAway();
    return connection;
  }

  /** Takes the place of an older connection of the same relay, which is closed. */
  add(connection: RelayConnection): void {
    const older = this.connections.get(connection.relay.id);
    this.connections.set(connection.relay.id, connection);
    if (older !== undefined && older.socket !== connection.socket) older.socket.disconnect(true);
  }

  /** Whether it was the relay's connection; false when a newer one has taken its place. */
  remove(socket: RelaySocket): boolean {
    const id = socket.data.attached?.id;
    if (id === undefined || this.connections.get(id)?.socket !== socket) return false;
    return this.connections.delete(id);
  }
}

export const relayAway = (): HubRefusal =>
  new HubRefusal('RELAY_AWAY', 'The relay is not attached at the moment.');
