import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DeviceId, signInText, type SignedIn, type SignIn as SignInBody } from '#contracts';
import { AuditStore, SignInLinkStore, type SpentLink } from '#domain';
import { HubLog } from '../platform/hub-log.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { demandSignature, publicKey } from '../identity/device-directory.js';

/** What is stored of a link's secret. */
export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

type RefusedLink = Exclude<SpentLink, { kind: 'spent' | 'spent-before' }>;
type Refused = RefusedLink['kind'];
const REFUSALS: { [K in Refused]: () => HubRefusal } = {
  'already-spent': () =>
    new HubRefusal(
      'LINK_SPENT',
      'This link has been used. Ask for a new one on a device that is signed in.',
    ),
  expired: () =>
    new HubRefusal(
      'LINK_EXPIRED',
      'This link has expired. Ask for a new one on a device that is signed in.',
    ),
  // An unknown secret looks like an old link, so that guessing tells nothing.
  unknown: () =>
    new HubRefusal(
      'LINK_EXPIRED',
      'This link is not known here. Ask for a new one on a device that is signed in.',
    ),
};

/** S1: spends a one-time link and registers the key of a device. Asked again by the same key it answers the same. */
@Injectable()
export class SignIn {
  constructor(
    private readonly links: SignInLinkStore,
    private readonly audit: AuditStore,
    private readonly log: HubLog,
  ) {}

  /** @param origin the checked origin that the page was served from */
  async signIn(body: SignInBody, origin: string): Promise<SignedIn> {
    const { secret, name } = body;
    const key = publicKey(body.publicKey);
    demandSignature({ key, text: signInText({ origin, secret, name }), signature: body.signature });
    const id = DeviceId.parse(randomUUID());
    const device = { id, name, publicKey: body.publicKey };
    const link = await this.links.spend(hashOfSecret(secret), device, ({ personId, purpose }) => ({
      by: { principal: { kind: 'device', deviceId: id, personId }, name },
      action: 'device-signed-in',
      body: { purpose, name },
      signature: body.signature,
    }));
    if (link.kind === 'spent-before') return { deviceId: link.deviceId };
    if (link.kind !== 'spent') throw await this.refuse(link, name);
    this.log.log('device signed in', { deviceId: id, purpose: link.purpose });
    return { deviceId: id };
  }

  /** A second use may be a thief's: it is written down where the person looks. */
  private async refuse(link: RefusedLink, name: string): Promise<HubRefusal> {
    if (link.kind === 'already-spent') {
      this.log.warn('a spent sign-in link was used again');
      await this.audit.add({
        by: { principal: { kind: 'hub' }, name: 'hub' },
        action: 'sign-in-link-used-again',
        body: { name },
      });
    }
    return REFUSALS[link.kind]();
  }
}
