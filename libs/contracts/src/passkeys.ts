import { z } from 'zod';
import { Duration, Instant, PasskeyId } from './ids.js';
import { LIMITS } from './limits.js';
import { storableText } from './text.js';

/** Which decisions need the person's passkey beside the device's own signature (S1). */
export const PasskeyRequirement = z.enum(['off', 'approvals', 'all']);
export type PasskeyRequirement = z.infer<typeof PasskeyRequirement>;

/** Base64url of some bytes, bounded; WebAuthn bounds a credential's id to 1,023 bytes. */
const bytes = (most: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')
    .max(Math.ceil((most * 4) / 3));
const CredentialId = bytes(1_023);
const Nonce = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url');
const ClientData = bytes(4_096);

/**
 * What a passkey signed for one text: its challenge is the SHA-256 of {@link passkeyText} with a nonce of the hub's, so
 * that it proves this text and nothing else, once.
 */
export const PasskeyProof = z.object({
  nonce: Nonce,
  credentialId: CredentialId,
  /** As WebAuthn gives them. */
  authenticatorData: bytes(4_096),
  clientData: ClientData,
  signature: bytes(1_024),
});
export type PasskeyProof = z.infer<typeof PasskeyProof>;

/** How an authenticator is reached, in WebAuthn's words; other words of newer browsers are left out. */
export const PasskeyTransport = z.enum([
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
]);

/** POST /api/passkeys/nonces: what a ceremony of WebAuthn needs at the address that asks. */
export const PasskeyNonce = z.object({
  nonce: Nonce,
  expiresIn: Duration,
  /** WebAuthn's RP ID: the name that the page was served from. */
  rpId: z.string(),
  /** The user handle of the person, base64url. */
  userHandle: z.string(),
  /** The person's passkeys that work at this address. */
  credentials: z.array(z.object({ id: CredentialId, transports: z.array(PasskeyTransport) })),
});
export type PasskeyNonce = z.infer<typeof PasskeyNonce>;

/** POST /api/passkeys */
export const RegisterPasskey = z.object({
  nonce: Nonce,
  name: storableText(LIMITS.deviceName, 1),
  credentialId: CredentialId,
  clientData: ClientData,
  attestation: bytes(16_384),
  transports: z.array(PasskeyTransport).max(7),
  /** By a passkey that is known already; needed once decisions need passkeys. */
  proof: PasskeyProof.optional(),
});
export type RegisterPasskey = z.infer<typeof RegisterPasskey>;

export const Passkey = z.object({
  id: PasskeyId,
  name: z.string(),
  /** The name of the address that it works at. */
  rpId: z.string(),
  createdAt: Instant,
  lastUsedAt: Instant.optional(),
  /** Its counter went back, as that of a copy does: it is good for nothing since then. */
  suspendedAt: Instant.optional(),
  /** Kept by a service on more than one device. */
  synced: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;

/** GET /api/passkeys */
export const Passkeys = z.object({
  requirement: PasskeyRequirement,
  passkeys: z.array(Passkey),
  /** Of the address that asked; absent where that can have no passkeys, being no name. */
  rpId: z.string().optional(),
});
export type Passkeys = z.infer<typeof Passkeys>;

/** POST /api/passkeys/:id/removal */
export const RemovePasskey = z.object({ proof: PasskeyProof });
export type RemovePasskey = z.infer<typeof RemovePasskey>;
/** PUT /api/passkeys/requirement */
export const RequirePasskeys = z.object({ requirement: PasskeyRequirement, proof: PasskeyProof });
export type RequirePasskeys = z.infer<typeof RequirePasskeys>;

/** A change that a passkey has to prove. */
export type PasskeyChange =
  | { readonly kind: 'register'; readonly name: string }
  | { readonly kind: 'remove'; readonly id: PasskeyId }
  | { readonly kind: 'require'; readonly requirement: PasskeyRequirement };

/** The text of a change, as a passkey proves it. */
export function passkeyChangeText(change: PasskeyChange): string {
  const subject = { register: 'name', remove: 'id', require: 'requirement' } as const;
  const value = (change as unknown as Record<string, string>)[subject[change.kind]] ?? '';
  return [`coxswain passkey ${change.kind} 1`, value].join('\n');
}

/** The text whose SHA-256 is the challenge of a ceremony. */
export function passkeyText(of: { nonce: string; text: string }): string {
  return ['coxswain passkey 1', of.nonce, of.text].join('\n');
}
