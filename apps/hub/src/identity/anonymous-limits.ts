import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DeviceId, ROUTES, type Route } from '#contracts';
import { HubRefusal } from '../platform/hub-refusal.js';
import { DeviceDirectory } from './device-directory.js';

/** Writes of callers who have not said who they are, per address and minute. */
const ANONYMOUS_WRITES = 600;
/** Challenges and tokens of one device, per minute: some for each of its pages, and for those that try again. */
const PROOFS_A_DEVICE = 240;

/**
 * S5: bounds what can be asked for without a token. Everything on this machine comes from one address: so a device that
 * is signed in has a measure of its own for proving itself, which nobody else can use up without knowing its id.
 */
@Injectable()
export class AnonymousLimits {
  private readonly anonymous = new RateLimiterMemory({ points: ANONYMOUS_WRITES, duration: 60 });
  private readonly proofs = new RateLimiterMemory({ points: PROOFS_A_DEVICE, duration: 60 });

  constructor(private readonly directory: DeviceDirectory) {}

  /** Throws `RATE_LIMITED`. */
  async bound(route: Route, request: Request): Promise<void> {
    const deviceId = await this.provingDevice(route, request);
    await (deviceId === undefined
      ? consume(this.anonymous, request.ip ?? '')
      : consume(this.proofs, deviceId));
  }

  /** The device that is signed in and about to prove it; absent where the id that was sent is nobody's. */
  private async provingDevice(route: Route, { body }: Request): Promise<DeviceId | undefined> {
    if (route !== ROUTES.challenge && route !== ROUTES.token) return undefined;
    const said = DeviceId.safeParse((body as { deviceId?: unknown } | undefined)?.deviceId);
    return said.success ? (await this.directory.find(said.data))?.deviceId : undefined;
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  await limiter.consume(key).catch((refused: unknown) => {
    if (refused instanceof Error) throw refused;
    throw new HubRefusal('RATE_LIMITED', 'Too many tries from here. Try again in a minute.');
  });
}
