import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  passkeyChangeText,
  PasskeyId,
  type Actor,
  type PasskeyProof,
  type PasskeyRequirement,
  type RegisterPasskey,
} from '#contracts';
import { DeviceStore, PasskeyStore } from '#domain';
import type { DeviceAtPage } from '../identity/caller.js';
import { actorOf } from '../identity/device-directory.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { PasskeyGate } from './passkey-gate.js';
import { PasskeyNonces } from './passkey-nonces.js';
import { checkRegistration, demandRpId } from './webauthn.js';

const AT_THE_TERMINAL: Actor = { principal: { kind: 'hub' }, name: 'terminal' };
/** A person has some devices and a key or two in a drawer. */
const MOST_PASSKEYS = 30;

/** S1: adds and removes passkeys of the person who asks, and says which decisions need one. */
@Injectable()
export class ChangePasskeys {
  constructor(
    private readonly store: PasskeyStore,
    private readonly gate: PasskeyGate,
    private readonly nonces: PasskeyNonces,
    private readonly devices: DeviceStore,
  ) {}

  /** Once decisions need passkeys a device alone can't add one, or it would soon need none. */
  async register(body: RegisterPasskey, { by, origin }: DeviceAtPage): Promise<void> {
    const { name, nonce, transports } = body;
    const text = passkeyChangeText({ kind: 'register', name });
    const rpId = demandRpId(origin);
    const required = (await this.store.requirement(by.personId)) !== 'off';
    const proof = { passkey: body.proof, origin };
    const kept = required ? { passkey: await this.gate.demand({ by, text, proof }) } : {};
    if ((await this.store.list(by.personId)).length >= MOST_PASSKEYS) {
      throw new HubRefusal('INVALID', `There are ${MOST_PASSKEYS} passkeys; remove one first.`);
    }
    const spending = { nonce, by: by.deviceId, use: JSON.stringify(body) };
    await this.nonces.once(spending, async () => {
      const { credential, credentialDeviceType } = await checkRegistration(body, {
        ...{ origin, rpId, text },
      });
      const passkey = {
        ...{ id: PasskeyId.parse(randomUUID()), name, rpId, transports },
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        synced: credentialDeviceType === 'multiDevice',
      };
      const { id, publicKey } = passkey;
      const added = await this.store.add(by.personId, passkey, {
        by: actorOf(by),
        action: 'passkey-added',
        body: { passkeyId: id, name, rpId, publicKey, ...kept },
      });
      if (!added) throw new HubRefusal('PASSKEY_REFUSED', 'That passkey is known already.');
    });
  }

  /** The last one stays as long as decisions need one: nobody could decide any more. */
  async remove(id: PasskeyId, proof: PasskeyProof, { by, origin }: DeviceAtPage): Promise<void> {
    const passkeys = await this.store.list(by.personId);
    const passkey = passkeys.find((one) => one.id === id);
    if (passkey === undefined) throw new HubRefusal('NOT_FOUND', 'There is no such passkey.');
    const text = passkeyChangeText({ kind: 'remove', id });
    const kept = await this.gate.demand({ by, text, proof: { passkey: proof, origin } });
    const others = passkeys.filter((one) => one.id !== id && one.suspendedAt === undefined);
    if (others.length === 0 && (await this.store.requirement(by.personId)) !== 'off') {
      throw new HubRefusal('INVALID', 'Decisions need a passkey: say first that they need none.');
    }
    await this.store.remove(id, {
      by: actorOf(by),
      action: 'passkey-removed',
      body: { passkeyId: id, name: passkey.name, passkey: kept },
    });
  }

  async require(
    requirement: PasskeyRequirement,
    proof: PasskeyProof,
    { by, origin }: DeviceAtPage,
  ): Promise<void> {
    const text = passkeyChangeText({ kind: 'require', requirement });
    const passkey = await this.gate.demand({ by, text, proof: { passkey: proof, origin } });
    const from = await this.store.requirement(by.personId);
    await this.store.require(by.personId, requirement, {
      by: actorOf(by),
      action: 'passkeys-required',
      body: { from, to: requirement, passkey },
    });
    this.gate.forget(by.personId);
  }

  /** For who lost them all and asks on the hub's own machine. Gives how many there were. */
  async forgetAll(): Promise<number> {
    const personId = await this.devices.owner();
    const passkeys = await this.store.list(personId);
    const names = passkeys.map(({ name }) => name);
    await this.store.forget(personId, {
      ...{ by: AT_THE_TERMINAL, action: 'passkeys-forgotten', body: { names } },
    });
    this.gate.forget(personId);
    return passkeys.length;
  }
}
