import { Injectable } from '@nestjs/common';
import { PasskeyNonce, type Passkey, type Passkeys } from '#contracts';
import { PasskeyStore, type PasskeyRecord } from '#domain';
import type { DeviceAtPage } from '../identity/caller.js';
import { PASSKEY_NONCE_MS, PasskeyNonces } from './passkey-nonces.js';
import { demandRpId, rpIdOf } from './webauthn.js';

/** The passkeys of the person who asks, and what a ceremony with them needs. */
@Injectable()
export class OwnPasskeys {
  constructor(
    private readonly store: PasskeyStore,
    private readonly nonces: PasskeyNonces,
  ) {}

  async list({ by: { personId }, origin }: DeviceAtPage): Promise<Passkeys> {
    const [records, requirement] = await Promise.all([
      this.store.list(personId),
      this.store.requirement(personId),
    ]);
    const rpId = rpIdOf(origin);
    const passkeys = records.map(shown);
    return { requirement, passkeys, ...(rpId === undefined ? {} : { rpId }) };
  }

  async nonce({ by: { personId, deviceId }, origin }: DeviceAtPage): Promise<PasskeyNonce> {
    const rpId = demandRpId(origin);
    const here = (await this.store.list(personId)).filter(
      (one) => one.rpId === rpId && one.suspendedAt === undefined,
    );
    return PasskeyNonce.parse({
      nonce: this.nonces.issue(deviceId),
      expiresIn: PASSKEY_NONCE_MS,
      rpId,
      userHandle: Buffer.from(personId).toString('base64url'),
      credentials: here.map(({ credentialId: id, transports }) => ({ id, transports })),
    });
  }
}

function shown(record: PasskeyRecord): Passkey {
  const { id, name, rpId, createdAt, lastUsedAt, suspendedAt, synced } = record;
  return {
    ...{ id, name, rpId, createdAt, synced },
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    ...(suspendedAt === undefined ? {} : { suspendedAt }),
  };
}
