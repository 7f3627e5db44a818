import { Injectable } from '@nestjs/common';
import { HubRefusal } from '../platform/hub-refusal.js';
import { AccessTokens, type TokenClaims } from './access-tokens.js';
import { DeviceDirectory, type KnownDevice } from './device-directory.js';

/** Finds out which device a token stands for. */
@Injectable()
export class Authenticate {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly directory: DeviceDirectory,
  ) {}

  /** Whether a device that was let in is still signed in. */
  async isSignedIn({ deviceId }: Pick<KnownDevice, 'deviceId'>): Promise<boolean> {
    return (await this.directory.find(deviceId)) !== undefined;
  }

  /** The device of a token that holds; throws `UNAUTHENTICATED` otherwise. */
  async device(token: string | undefined): Promise<KnownDevice & Pick<TokenClaims, 'endsAt'>> {
    const claims = token === undefined ? undefined : await this.tokens.verify(token);
    if (claims === undefined) {
      throw new HubRefusal('UNAUTHENTICATED', 'The access token is missing, forged or has ended.');
    }
    const device = await this.directory.find(claims.deviceId);
    if (device === undefined) {
      throw new HubRefusal('UNAUTHENTICATED', 'This device has been signed out.');
    }
    return { ...device, endsAt: claims.endsAt };
  }
}
