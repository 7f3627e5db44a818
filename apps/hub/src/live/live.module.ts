import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { RelaysModule } from '../relays/relays.module.js';
import { DeviceRooms } from './device-rooms.js';
import { DeviceGateway } from './device.gateway.js';
import { OpenedConversations } from './opened-conversations.js';
import { Rooms } from './rooms.js';
import { Snapshots } from './snapshots.js';
import { WayInNews } from './way-in-news.js';

/** The sockets of devices. */
@Module({
  imports: [IdentityModule, RelaysModule],
  providers: [DeviceGateway, DeviceRooms, OpenedConversations, Rooms, Snapshots, WayInNews],
  exports: [DeviceRooms, Rooms],
})
export class LiveModule {}
