import { Injectable } from '@nestjs/common';
import type { Device, DeviceId } from '#contracts';
import { DeviceStore, SignInLinkStore } from '#domain';
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
    private readonly links: SignInLinkStore,
    private readonly rooms: DeviceRooms,
  ) {}

  async rename(of: { id: DeviceId; name: string; by: KnownDevice }): Promise<Device> {
    const device = await this.own.one(of.id, of.by);
    await this.devices.rename(of.id, of.name, {
      by: actorOf(of.by),
      action: 'device-renamed',
      body: { deviceId: of.id, from: device.name, to: of.name },
    });
    this.directory.forget(of.id);
    return { ...device, name: of.name };
  }

  /** S1: from here on the device is nobody; its sockets are closed at once. */
  async revoke(of: { id: DeviceId; by: KnownDevice }): Promise<void> {
    const device = await this.own.one(of.id, of.by);
    await this.devices.revoke(of.id, {
      by: actorOf(of.by),
      action: 'device-revoked',
      body: { deviceId: of.id, name: device.name },
    });
    this.directory.forget(of.id);
    this.rooms.signOut(of.id);
  }

  /** S1: a person has seen that links were used again: the alarm ends on every device. */
  async acknowledgeLinkAlarms(by: KnownDevice): Promise<void> {
    await this.links.acknowledgeAlarms(by.personId, {
      by: actorOf(by),
      action: 'link-alarms-acknowledged',
      body: {},
    });
    this.rooms.linkAlarms(by.personId, await this.links.alarms(by.personId));
  }
}
