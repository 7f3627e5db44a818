import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { RelayAttach, RelayId } from '#contracts';
import { AuditStore, ConversationReads } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { HubLog } from '../platform/hub-log.js';
import { RelayDirectory } from '../relays/relay-directory.js';

/** Says that somebody else has a relay's key: to the audit log and to the person's devices, once for each that tries. */
@Injectable()
export class HolderAlarm {
  private readonly told = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    private readonly reads: ConversationReads,
    private readonly directory: RelayDirectory,
    private readonly audit: AuditStore,
    private readonly rooms: DeviceRooms,
    private readonly log: HubLog,
  ) {}

  async raise(
    id: RelayId,
    { instance, name }: Pick<RelayAttach, 'instance' | 'name'>,
  ): Promise<void> {
    const relay = await this.directory.contested(id, await this.reads.now());
    if (this.told.has(instance)) return;
    this.told.set(instance, true);
    this.log.warn('another holder of a relay’s key was refused', { relayId: id, instance });
    await this.audit.add({
      by: { principal: { kind: 'relay', relayId: id }, name },
      action: 'relay-key-contested',
      body: { relayId: id, instance, name },
    });
    if (relay !== undefined) this.rooms.relay(relay);
  }
}
