import { randomBytes, webcrypto } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ACCESS_TOKEN_MS, DeviceId, PersonId } from '#contracts';
import { SettingStore } from '#domain';

/** Whose token it is, and when it ends (milliseconds since 1970, by this process's clock). */
export interface TokenClaims {
  readonly deviceId: DeviceId;
  readonly personId: PersonId;
  readonly endsAt: number;
}

const KEY_SETTING = 'access-token-key';
const Claims = z.object({ sub: DeviceId, person: PersonId, exp: z.number().int() });

/** Signed tokens of ten minutes: any hub over the same database takes them, also after a restart. */
@Injectable()
export class AccessTokens {
  private key: Promise<webcrypto.CryptoKey> | undefined;
  /** Tokens whose signature was checked; their end is checked each time. */
  private readonly checked = new LRUCache<string, TokenClaims>({ max: 1_000 });

  constructor(private readonly settings: SettingStore) {}

  async issue(of: { deviceId: DeviceId; personId: PersonId }): Promise<string> {
    const endsAt = Math.floor((Date.now() + ACCESS_TOKEN_MS) / 1000);
    return new SignJWT({ person: of.personId })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(of.deviceId)
      .setJti(randomBytes(9).toString('base64url'))
      .setExpirationTime(endsAt)
      .sign(await this.signingKey());
  }

  /** What the token says; absent when it is forged, malformed or has ended. */
  async verify(token: string): Promise<TokenClaims | undefined> {
    const claims = this.checked.get(token) ?? (await this.check(token));
    if (claims === undefined || claims.endsAt <= Date.now()) return undefined;
    return claims;
  }

  /** The key has been changed in the store: nothing that was signed with the one before holds. */
  forgetKey(): void {
    this.key = undefined;
    this.checked.clear();
  }

  private async check(token: string): Promise<TokenClaims | undefined> {
    try {
      const key = await this.signingKey();
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
      const said = Claims.safeParse(payload);
      if (!said.success) return undefined;
      const { sub, person, exp } = said.data;
      const claims = { deviceId: sub, personId: person, endsAt: exp * 1000 };
      this.checked.set(token, claims);
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  private async signingKey(): Promise<webcrypto.CryptoKey> {
    this.key ??= this.loadKey();
    try {
      return await this.key;
    } catch (error) {
      this.key = undefined;
      throw error;
    }
  }

  private async loadKey(): Promise<webcrypto.CryptoKey> {
    const mine = randomBytes(32).toString('base64url');
    const raw = Buffer.from(await this.settings.ensure(KEY_SETTING, mine), 'base64url');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    return webcrypto.subtle.importKey('raw', raw, algorithm, false, ['sign', 'verify']);
  }
}
