import {
  AccessToken,
  Challenge,
  SignedIn,
  challengeText,
  decisionText,
  signInText,
  type CardId,
  type Decision,
  type Signature,
} from '#contracts';
import { type z } from 'zod';
import { httpCall, type Fetch } from '../api/http-call.js';
import { HubRefusal } from '../api/hub-refusal.js';
import { makeDeviceKey, signWith, type DeviceKey, type KnownDevice } from './device-key.js';
import { type DeviceStore } from './device-store.js';

/** A token is renewed when less than this is left of it. */
const RENEW_BEFORE_MS = 150_000;

export interface SessionSurroundings {
  readonly origin: string;
  readonly store: DeviceStore;
  readonly fetch: Fetch;
  readonly now: () => number;
}

/**
 * Who this page is to the hub (S1): a key, proved by a challenge, for a token that lives in memory only.
 */
export class DeviceSession {
  #device: KnownDevice | undefined;
  #token: { readonly text: string; readonly endsAt: number } | undefined;
  #asking: Promise<string> | undefined;
  /** The key that a link was tried with: tried again with the same, a link whose answer was lost still lets it in. */
  #trying: { readonly secret: string; readonly key: DeviceKey } | undefined;

  constructor(private readonly around: SessionSurroundings) {}

  get deviceId(): string | undefined {
    return this.#device?.deviceId;
  }

  /** Looks for a key of this browser's; false when there is none. */
  async restore(): Promise<boolean> {
    this.#device = await this.around.store.load();
    return this.#device !== undefined;
  }

  /**
   * Spends a sign-in link and registers a new key.
   * @throws HubRefusal LINK_SPENT or LINK_EXPIRED
   */
  async signIn(secret: string, name: string): Promise<void> {
    if (this.#trying?.secret !== secret) this.#trying = { secret, key: await makeDeviceKey() };
    const { key } = this.#trying;
    const signature = await signWith(key, signInText({ origin: this.around.origin, secret, name }));
    const body = { secret, name, publicKey: key.publicKey, signature };
    const { deviceId } = await this.#post(SignedIn, '/api/sign-in', body);
    this.#device = { ...key, deviceId };
    this.#token = undefined;
    await this.around.store.save(this.#device);
    this.#trying = undefined;
  }

  /** Forgets the key of this browser; the hub keeps the device until it is revoked. */
  async forget(): Promise<void> {
    this.#device = undefined;
    this.#token = undefined;
    await this.around.store.forget();
  }

  /** A token that is good for a while; calls at the same time share one renewal. */
  async token(): Promise<string> {
    const held = this.#token;
    if (held !== undefined && held.endsAt - this.around.now() > RENEW_BEFORE_MS) return held.text;
    this.#asking ??= this.#askToken().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Drops a token that the hub no longer takes, so that the next call asks for another. */
  dropToken(): void {
    this.#token = undefined;
  }

  /** The device's signature under a decision about a card (S4). */
  async signDecision(of: {
    cardId: CardId;
    version: number;
    decision: Decision;
  }): Promise<Signature> {
    return signWith(this.#known(), decisionText(of));
  }

  async #askToken(): Promise<string> {
    const { deviceId } = this.#known();
    const asked = await this.#post(Challenge, '/api/devices/challenge', { deviceId });
    const { challenge } = asked;
    const signature = await signWith(
      this.#known(),
      challengeText({ origin: this.around.origin, deviceId, challenge }),
    );
    const askedAt = this.around.now();
    const proof = { deviceId, challenge, signature };
    const token = await this.#post(AccessToken, '/api/devices/token', proof);
    this.#token = { text: token.accessToken, endsAt: askedAt + token.expiresIn };
    return token.accessToken;
  }

  #post<S extends z.ZodType>(schema: S, path: string, body: unknown): Promise<z.infer<S>> {
    return httpCall(schema, { method: 'POST', path, body }, this.around.fetch);
  }

  #known(): KnownDevice {
    if (this.#device === undefined) {
      throw new HubRefusal({ code: 'UNAUTHENTICATED', message: 'This browser is not signed in.' });
    }
    return this.#device;
  }
}
