import { Injectable } from '@nestjs/common';
import type { Device, DeviceId, Devices } from '#contracts';
import { DeviceStore, type DeviceRecord } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';
import type { KnownDevice } from '../identity/device-directory.js';

/** The devices of the person who asks. */
@Injectable()
export class OwnDevices {
  constructor(private readonly devices: DeviceStore) {}

  async list(caller: KnownDevice): Promise<Devices> {
    const records = await this.devices.list(caller.personId);
    return { devices: records.map((record) => shown(record, caller)) };
  }

  /** One of them; `NOT_FOUND` when it is nobody's or another person's. */
  async one(id: DeviceId, caller: KnownDevice): Promise<Device> {
    const record = await this.devices.byId(id);
    if (record === undefined || record.personId !== caller.personId) {
      throw new HubRefusal('NOT_FOUND', 'There is no such device.');
    }
    return shown(record, caller);
  }
}

function shown(record: DeviceRecord, caller: KnownDevice): Device {
  const { id, name, createdAt, lastSeenAt, revokedAt } = record;
  const device = { id, name, createdAt, lastSeenAt, current: id === caller.deviceId };
  return revokedAt === undefined ? device : { ...device, revokedAt };
}
