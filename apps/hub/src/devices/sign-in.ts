import { createHash, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  DeviceId,
  signInText,
  type Actor,
  type SignedIn,
  type SignIn as SignInBody,
} from '#contracts';
import { SignInLinkStore, type SpentLink } from '#domain';
import { DeviceRooms } from '../live/device-rooms.js';
import { HubLog } from '../platform/hub-log.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { demandSignature, publicKey } from '../identity/device-directory.js';

/** What is stored of a link's secret. */
export const hashOfSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

const HUB: Actor = { principal: { kind: 'hub' }, name: 'hub' };

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
    private readonly rooms: DeviceRooms,
    private readonly log: HubLog,
  ) {}

  /** @param origin the checked origin that the page was served from */
  async signIn(body: SignInBody, origin: string): Promise<SignedIn> {
    const { secret, name } = body;
    const key = publicKey(body.publicKey);
    demandSignature({ key, text: signInText({ origin, secret, name }), signature: body.signature });
    const id = DeviceId.parse(randomUUID());
    const device = { id, name, publicKey: body.publicKey };
    const link = await this.links.spend(hashOfSecret(secret), device, {
      spent: ({ personId, purpose }) => ({
        by: { principal: { kind: 'device', deviceId: id, personId }, name },
        action: 'device-signed-in',
        body: { purpose, name },
        signature: body.signature,
      }),
      usedAgain: { by: HUB, action: 'sign-in-link-used-again', body: { name } },
    });
    if (link.kind === 'spent-before') return { deviceId: link.deviceId };
    if (link.kind !== 'spent') throw await this.refuse(link);
    this.log.log('device signed in', { deviceId: id, purpose: link.purpose });
    return { deviceId: id };
  }

  /** A second use may be a thief's: every device of the person is told, until somebody has seen it. */
  private async refuse(link: RefusedLink): Promise<HubRefusal> {
    if (link.kind === 'already-spent') {
      this.log.warn('a spent sign-in link was used again');
      this.rooms.linkAlarms(link.personId, await this.links.alarms(link.personId));
    }
    return REFUSALS[link.kind]();
  }
}
