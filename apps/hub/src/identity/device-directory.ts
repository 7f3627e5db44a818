import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Actor, DeviceId, DevicePublicKey, PersonId } from '#contracts';
import { DeviceStore, type DeviceRecord } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';

/** A device that is signed in and not revoked. */
export interface KnownDevice {
  readonly deviceId: DeviceId;
  readonly personId: PersonId;
  readonly name: string;
  readonly key: KeyObject;
}

/** How long a device revoked by another hub may still pass here. */
const KEPT_MS = 5_000;

/** The devices that may act, kept for seconds so that a tap costs no query of its own. */
@Injectable()
export class DeviceDirectory {
  private readonly kept = new LRUCache<DeviceId, KnownDevice>({ max: 200, ttl: KEPT_MS });
  /** Grows when something is forgotten: what was read before is older than that. */
  private generation = 0;

  constructor(private readonly devices: DeviceStore) {}

  /** The device; absent when it is unknown or revoked. */
  async find(id: DeviceId): Promise<KnownDevice | undefined> {
    return this.kept.get(id) ?? this.load(id);
  }

  /** To be called when a device was renamed or revoked. */
  forget(id: DeviceId): void {
    this.generation += 1;
    this.kept.delete(id);
  }

  private async load(id: DeviceId): Promise<KnownDevice | undefined> {
    const { generation } = this;
    const record = await this.devices.byId(id);
    if (generation !== this.generation) return this.find(id);
    if (record === undefined || record.revokedAt !== undefined) return undefined;
    const device = knownDevice(record);
    this.kept.set(id, device);
    return device;
  }
}

function knownDevice(record: DeviceRecord): KnownDevice {
  return {
    deviceId: record.id,
    personId: record.personId,
    name: record.name,
    key: publicKey(record.publicKey),
  };
}

/** Throws `INVALID` when the coordinates are no point of the curve. */
export function publicKey(jwk: DevicePublicKey): KeyObject {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' });
  } catch (cause) {
    throw new HubRefusal('INVALID', 'publicKey: is no point of the curve P-256.', {
      fields: [{ field: 'publicKey', problem: 'must be a point of the curve P-256' }],
      cause,
    });
  }
}

/** Throws `BAD_SIGNATURE` unless the key's holder signed exactly this text. */
export function demandSignature(of: { key: KeyObject; text: string; signature: string }): void {
  const signed = verify(
    'sha256',
    Buffer.from(of.text),
    { key: of.key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(of.signature, 'base64url'),
  );
  if (!signed) throw new HubRefusal('BAD_SIGNATURE', "The signature is not this device's.");
}

/** A device as the one who acts. */
export function actorOf(device: KnownDevice): Actor {
  const { deviceId, personId, name } = device;
  return { principal: { kind: 'device', deviceId, personId }, name };
}
