import type { Passkey, PasskeyId, PasskeyRequirement, PersonId } from '#contracts';
import type { AuditEntry } from './writes.js';

export interface PasskeyRecord extends Passkey {
  /** WebAuthn's, base64url. */
  readonly credentialId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  readonly transports: readonly string[];
  readonly counter: number;
}

/** A passkey before it is one. */
export type NewPasskey = Pick<
  PasskeyRecord,
  'id' | 'name' | 'rpId' | 'credentialId' | 'publicKey' | 'transports' | 'counter' | 'synced'
>;

/** S1: the passkeys of people, and which of their decisions need one. Each change together with its audit entry. */
export abstract class PasskeyStore {
  /** Those that were not removed, oldest first. */
  abstract list(personId: PersonId): Promise<readonly PasskeyRecord[]>;
  abstract requirement(personId: PersonId): Promise<PasskeyRequirement>;
  /** False where the credential is known already. */
  abstract add(personId: PersonId, passkey: NewPasskey, entry: AuditEntry): Promise<boolean>;
  /** Notes a use; false where the counter went back meanwhile, or it was removed or suspended. Nothing is stored then. */
  abstract used(id: PasskeyId, counter: number): Promise<boolean>;
  abstract suspend(id: PasskeyId, entry: AuditEntry): Promise<void>;
  abstract remove(id: PasskeyId, entry: AuditEntry): Promise<void>;
  abstract require(
    personId: PersonId,
    requirement: PasskeyRequirement,
    entry: AuditEntry,
  ): Promise<void>;
  /** Removes all of them and the requirement. */
  abstract forget(personId: PersonId, entry: AuditEntry): Promise<void>;
}
