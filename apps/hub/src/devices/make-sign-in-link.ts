import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SIGN_IN_LINK_MS, type Actor, type PairingLink, type PersonId } from '#contracts';
import { DeviceStore, SignInLinkStore } from '#domain';
import { actorOf, type KnownDevice } from '../identity/device-directory.js';
import { HubConfiguration } from '../platform/hub-configuration.js';
import { hashOfSecret } from './sign-in.js';

/** Who asks at the terminal is not known by name. */
const AT_THE_TERMINAL: Actor = { principal: { kind: 'hub' }, name: 'terminal' };

/** S1: one-time links. The secret is told once, to who asked; only its hash is stored. */
@Injectable()
export class MakeSignInLink {
  constructor(
    private readonly links: SignInLinkStore,
    private readonly devices: DeviceStore,
    private readonly configuration: HubConfiguration,
  ) {}

  /** For another device of a person's. */
  async forPairing(by: KnownDevice): Promise<PairingLink> {
    return this.make({ personId: by.personId, purpose: 'pair', by: actorOf(by) });
  }

  /** For the owner at the terminal: while there is no device, or whenever it is asked for. */
  async forOwner(when: 'without-device' | 'now'): Promise<PairingLink | undefined> {
    if (when === 'without-device' && (await this.devices.count()) > 0) return undefined;
    const personId = await this.devices.owner();
    return this.make({ personId, purpose: 'first', by: AT_THE_TERMINAL });
  }

  private async make(of: {
    personId: PersonId;
    purpose: 'first' | 'pair';
    by: Actor;
  }): Promise<PairingLink> {
    const { personId, purpose, by } = of;
    const secret = randomBytes(32).toString('base64url');
    await this.links.add({
      ...{ personId, purpose, secretHash: hashOfSecret(secret), lives: SIGN_IN_LINK_MS },
      entry: { by, action: 'sign-in-link-made', body: { purpose } },
    });
    const origin = this.configuration.reach?.origins[0];
    return { secret, expiresIn: SIGN_IN_LINK_MS, ...(origin === undefined ? {} : { origin }) };
  }
}
