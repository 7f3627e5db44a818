import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SIGN_IN_LINK_MS, type PairingLink, type PersonId } from '#contracts';
import { DeviceStore, SignInLinkStore } from '#domain';
import { hashOfSecret } from './sign-in.js';

/** S1: one-time links. The secret is told once, to who asked; only its hash is stored. */
@Injectable()
export class MakeSignInLink {
  constructor(
    private readonly links: SignInLinkStore,
    private readonly devices: DeviceStore,
  ) {}

  /** For another device of a person's. */
  async forPairing(personId: PersonId): Promise<PairingLink> {
    return this.make(personId, 'pair');
  }

  /** For the owner at the terminal: while there is no device, or whenever it is asked for. */
  async forOwner(when: 'without-device' | 'now'): Promise<PairingLink | undefined> {
    if (when === 'without-device' && (await this.devices.count()) > 0) return undefined;
    return this.make(await this.devices.owner(), 'first');
  }

  private async make(personId: PersonId, purpose: 'first' | 'pair'): Promise<PairingLink> {
    const secret = randomBytes(32).toString('base64url');
    const secretHash = hashOfSecret(secret);
    await this.links.add({ secretHash, personId, purpose, lives: SIGN_IN_LINK_MS });
    return { secret, expiresIn: SIGN_IN_LINK_MS };
  }
}
