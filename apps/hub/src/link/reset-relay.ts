import { Injectable } from '@nestjs/common';
import type { Relay, RelayId } from '#contracts';
import { RelayStore } from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { DeviceRooms } from '../live/device-rooms.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { RelayConnections } from '../relays/relay-connections.js';
import { RelayDirectory } from '../relays/relay-directory.js';

/** link.7: a person lets whoever proves a relay's key next be that relay, such as after its token was lost. */
@Injectable()
export class ResetRelay {
  constructor(
    private readonly relays: RelayStore,
    private readonly connections: RelayConnections,
    private readonly directory: RelayDirectory,
    private readonly rooms: DeviceRooms,
  ) {}

  async reset(id: RelayId, by: KnownDevice): Promise<Relay> {
    if ((await this.directory.find(id)) === undefined) {
      throw new HubRefusal('NOT_FOUND', 'There is no such relay.');
    }
    const body = { relayId: id };
    await this.relays.forgetTokens(id, { by: actorOf(by), action: 'relay-reset', body });
    this.directory.uncontested(id);
    this.connections.find(id)?.socket.conn.close();
    const relay = await this.directory.find(id);
    if (relay === undefined) throw new HubRefusal('NOT_FOUND', 'There is no such relay.');
    this.rooms.relay(relay);
    return relay;
  }
}
