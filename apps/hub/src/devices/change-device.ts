import { Injectable } from '@nestjs/common';
import type { Device, DeviceId } from '#contracts';
import { AuditStore, DeviceStore } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { actorOf, DeviceDirectory, type KnownDevice } from '../identity/device-directory.js';
import { OwnDevices } from './own-devices.js';

/** Renames and revokes the devices of the person who asks. */
@Injectable()
export class ChangeDevice {
  constructor(
    private readonly own: OwnDevices,
    private readonly devices: DeviceStore,
    private readonly directory: DeviceDirectory,
    private readonly audit: AuditStore,
    private readonly rooms: DeviceRooms,
  ) {}

  async rename(of: { id: DeviceId; name: string; by: KnownDevice }): Promise<Device> {
    const device = await this.own.one(of.id, of.by);
    await this.devices.rename(of.id, of.name);
    this.directory.forget(of.id);
    await this.audit.add({
      by: actorOf(of.by),
      action: 'device-renamed',
      body: { deviceId: of.id, from: device.name, to: of.name },
    });
    return { ...device, name: of.name };
  }

  /** S1: from here on the device is nobody; its sockets are closed at once. */
  async revoke(of: { id: DeviceId; by: KnownDevice }): Promise<void> {
    const device = await this.own.one(of.id, of.by);
    await this.devices.revoke(of.id);
    this.directory.forget(of.id);
    this.rooms.signOut(of.id);
    await this.audit.add({
      by: actorOf(of.by),
      action: 'device-revoked',
      body: { deviceId: of.id, name: device.name },
    });
  }
}
