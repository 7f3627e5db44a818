import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { DeviceId } from '#contracts';
import { HubRefusal } from '../platform/hub-refusal.js';

/** A person may have to look for the key that they hold: longer than a device's challenge. */
export const PASSKEY_NONCE_MS = 300_000;

interface Spent {
  readonly by: DeviceId;
  /** All that it was spent on. */
  readonly use: string;
  readonly outcome: Promise<unknown>;
}

/**
 * Random texts that make what a passkey signs good once. The oldest give way, so that asking fills no memory.
 *
 * The very same use again, such as an answer whose confirmation was lost, is told what the first one was told.
 */
@Injectable()
export class PasskeyNonces {
  private readonly waiting = new LRUCache<string, DeviceId>({ max: 500, ttl: PASSKEY_NONCE_MS });
  private readonly spent = new LRUCache<string, Spent>({ max: 500, ttl: PASSKEY_NONCE_MS });

  issue(to: DeviceId): string {
    const nonce = randomBytes(32).toString('base64url');
    this.waiting.set(nonce, to);
    return nonce;
  }

  /**
   * Spends a nonce on one use.
   *
   * @throws HubRefusal PASSKEY_REFUSED where it is unknown, another device's, too old or spent on something else
   */
  once<T>(
    of: { readonly nonce: string; readonly by: DeviceId; readonly use: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const { nonce, by, use } = of;
    const before = this.spent.get(nonce);
    if (before?.by === by && before.use === use) return before.outcome as Promise<T>;
    if (this.waiting.get(nonce) !== by) {
      throw new HubRefusal(
        'PASSKEY_REFUSED',
        'What the passkey was asked is used, too old or not from here. Ask it again.',
      );
    }
    this.waiting.delete(nonce);
    const outcome = work();
    this.spent.set(nonce, { by, use, outcome });
    return outcome;
  }
}
