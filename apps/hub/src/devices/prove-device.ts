import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  ACCESS_TOKEN_MS,
  challengeText,
  type AccessToken,
  type AskToken,
  type Challenge,
  type DeviceId,
} from '#contracts';
import { DeviceStore } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';
import { AccessTokens } from '../identity/access-tokens.js';
import { demandSignature, DeviceDirectory } from '../identity/device-directory.js';

const CHALLENGE_MS = 60_000;

/** A device proves that it holds its key and gets a token for ten minutes. */
@Injectable()
export class ProveDevice {
  /** Challenges that wait for their signature; the oldest give way, so that asking fills no memory. */
  private readonly waiting = new LRUCache<string, DeviceId>({ max: 1_000, ttl: CHALLENGE_MS });

  constructor(
    private readonly directory: DeviceDirectory,
    private readonly devices: DeviceStore,
    private readonly tokens: AccessTokens,
  ) {}

  /** A random text, good once and for a minute. Given for any id: who asks learns nothing. */
  async challenge(deviceId: DeviceId): Promise<Challenge> {
    const challenge = randomBytes(32).toString('base64url');
    // Kept for devices only: nobody else's asking can make one of theirs give way.
    if ((await this.directory.find(deviceId)) !== undefined) this.waiting.set(challenge, deviceId);
    return { challenge, expiresIn: CHALLENGE_MS };
  }

  /** @param origin the checked origin of the page, so that a proof made for another page is worth nothing */
  async token(body: AskToken, origin: string): Promise<AccessToken> {
    const { deviceId, challenge, signature } = body;
    const askedBy = this.waiting.get(challenge);
    this.waiting.delete(challenge);
    if (askedBy !== deviceId) {
      throw new HubRefusal('UNAUTHENTICATED', 'The challenge is unknown, used or too old.');
    }
    const device = await this.directory.find(deviceId);
    if (device === undefined) {
      throw new HubRefusal('UNAUTHENTICATED', 'This device is not signed in.');
    }
    demandSignature({
      key: device.key,
      text: challengeText({ origin, deviceId, challenge }),
      signature,
    });
    await this.devices.seen(deviceId);
    const accessToken = await this.tokens.issue(device);
    return { accessToken, expiresIn: ACCESS_TOKEN_MS };
  }
}
