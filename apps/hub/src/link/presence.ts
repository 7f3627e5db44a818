import { Injectable } from '@nestjs/common';
import type { ProviderStatus, RelayId } from '#contracts';
import { RelayStore } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { HubLog } from '../platform/hub-log.js';
import {
  RelayConnections,
  type AttachedRelay,
  type RelaySocket,
} from '../relays/relay-connections.js';
import { RelayDirectory } from '../relays/relay-directory.js';

/** Tells devices which relays are there. */
@Injectable()
export class Presence {
  constructor(
    private readonly relays: RelayStore,
    private readonly directory: RelayDirectory,
    private readonly connections: RelayConnections,
    private readonly rooms: DeviceRooms,
    private readonly log: HubLog,
  ) {}

  attached(relay: AttachedRelay): void {
    this.log.log('relay attached', { relayId: relay.id, instance: relay.instance });
    this.rooms.relay(this.directory.shown(relay));
  }

  /** A connection ended; if it was the relay's last word, the relay is away. */
  async gone(socket: RelaySocket): Promise<void> {
    const { attached } = socket.data;
    if (attached === undefined || !this.connections.remove(socket)) return;
    this.log.log('relay away', { relayId: attached.id });
    try {
      await this.relays.seen(attached.id);
      const relay = await this.directory.find(attached.id);
      if (relay !== undefined) this.rooms.relay(relay);
    } catch (error) {
      this.log.warn('a relay that left could not be written down', { error });
    }
  }

  status(relayId: RelayId, status: ProviderStatus): void {
    const relay = this.directory.setStatus(relayId, status);
    if (relay !== undefined) this.rooms.relay(relay);
  }
}
