import type {
  DeviceId,
  DevicePublicKey,
  LinkAlarm,
  Instant,
  PersonId,
  ProviderOnRelay,
  RelayId,
} from '#contracts';
import type { TokenBook } from '../link/key-holder.js';
import type { AuditEntry } from './writes.js';

export interface DeviceRecord {
  readonly id: DeviceId;
  readonly personId: PersonId;
  readonly name: string;
  readonly publicKey: DevicePublicKey;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly revokedAt?: number;
}

export abstract class DeviceStore {
  /** The owner; made at the first call. */
  abstract owner(): Promise<PersonId>;
  abstract byId(id: DeviceId): Promise<DeviceRecord | undefined>;
  abstract list(personId: PersonId): Promise<readonly DeviceRecord[]>;
  /** Devices that are not revoked. */
  abstract count(): Promise<number>;
  abstract seen(id: DeviceId): Promise<void>;
  /** Each together with its entry in the audit log. */
  abstract rename(id: DeviceId, name: string, entry: AuditEntry): Promise<void>;
  abstract revoke(id: DeviceId, entry: AuditEntry): Promise<void>;
}

export type SpentLink =
  | { readonly kind: 'spent'; readonly personId: PersonId; readonly purpose: 'first' | 'pair' }
  /** By this very key, whose device is signed in: what it was told then may not have reached it. */
  | { readonly kind: 'spent-before'; readonly deviceId: DeviceId }
  | { readonly kind: 'already-spent'; readonly personId: PersonId }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

/** A device that spends a link, before it is one. */
export interface NewDevice {
  readonly id: DeviceId;
  readonly name: string;
  readonly publicKey: DevicePublicKey;
}

/** One-time links; only a hash of the secret is stored. */
export abstract class SignInLinkStore {
  abstract add(link: {
    secretHash: string;
    personId: PersonId;
    purpose: 'first' | 'pair';
    lives: number;
    entry: AuditEntry;
  }): Promise<void>;
  /**
   * Spends the link, adds the device and writes that down, all or nothing: of two who try, one wins.
   * A link that somebody else spent stands as an alarm from here on.
   * @param entries for the audit log: made of what the link was, and for one that was spent before
   */
  abstract spend(
    secretHash: string,
    device: NewDevice,
    entries: {
      readonly spent: (link: Extract<SpentLink, { kind: 'spent' }>) => AuditEntry;
      readonly usedAgain: AuditEntry;
    },
  ): Promise<SpentLink>;
  /** Links that were used again and that nobody has acknowledged yet, newest first. */
  abstract alarms(personId: PersonId): Promise<LinkAlarm[]>;
  abstract acknowledgeAlarms(personId: PersonId, entry: AuditEntry): Promise<void>;
}

export interface RelayRecord {
  readonly id: RelayId;
  readonly name: string;
  /** Raw Ed25519 public key, base64url. */
  readonly publicKey: string;
  readonly version: string;
  readonly lastSeenAt: number;
  readonly providers: readonly ProviderOnRelay[];
  readonly tokens: TokenBook;
}

export abstract class RelayStore {
  /** Adds the relay with this key, or gives the one that has it. */
  abstract ensure(relay: { name: string; publicKey: string }): Promise<RelayId>;
  abstract byKey(publicKey: string): Promise<RelayRecord | undefined>;
  abstract list(): Promise<readonly RelayRecord[]>;
  /** Gives the time by the database's clock. */
  abstract attached(
    id: RelayId,
    of: { name: string; version: string; providers: readonly ProviderOnRelay[] },
  ): Promise<Instant>;
  /** Link rule 7: false where the record is not `before` any more; nothing is stored then. */
  abstract tokenIssued(
    id: RelayId,
    change: { readonly before: TokenBook; readonly after: TokenBook },
  ): Promise<boolean>;
  /** The relay has this one; the one before is good for nothing from here on. */
  abstract tokenKept(id: RelayId, hash: string): Promise<void>;
  /** Whoever proves the key next is taken; together with its entry in the audit log. */
  abstract forgetTokens(id: RelayId, entry: AuditEntry): Promise<void>;
  abstract seen(id: RelayId): Promise<void>;
}

/** The hub's own keys and settings. Values may be secret: never logged, never sent. */
export abstract class SettingStore {
  abstract get(name: string): Promise<string | undefined>;
  /** Stores the value unless one is there, and gives the one that stands. */
  abstract ensure(name: string, value: string): Promise<string>;
  abstract set(name: string, value: string): Promise<void>;
}

/** Insert-only for the application's role (S4). */
export abstract class AuditStore {
  abstract add(entry: AuditEntry): Promise<void>;
}
