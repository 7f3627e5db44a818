import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { VerifiedRegistrationResponse } from '@simplewebauthn/server';
import { passkeyText, type PasskeyProof, type RegisterPasskey } from '#contracts';
import type { PasskeyRecord } from '#domain';
import { HubRefusal } from '../platform/hub-refusal.js';

/** What a ceremony has to have been made for. */
interface Expected {
  /** The checked origin of the page. */
  readonly origin: string;
  readonly rpId: string;
  /** What the passkey was asked about. */
  readonly text: string;
}

/** The RP ID of an origin: its name. Absent for an address, which WebAuthn does not take. */
export function rpIdOf(origin: string): string | undefined {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : undefined;
}

/** @throws HubRefusal PASSKEY_REFUSED where the page's address can have no passkeys */
export function demandRpId(origin: string): string {
  const rpId = rpIdOf(origin);
  if (rpId !== undefined) return rpId;
  throw new HubRefusal(
    'PASSKEY_REFUSED',
    'Passkeys need an address with a name: open the page at localhost, or at the name that it has for other machines.',
  );
}

// Loaded at its first use: most hubs have no passkeys, and it costs some megabytes.
const library = () => import('@simplewebauthn/server');

const challengeOf = (nonce: string, text: string): string =>
  createHash('sha256').update(passkeyText({ nonce, text })).digest('base64url');

/**
 * Checks what a passkey signed: this text, at this address, with its user verified.
 *
 * @returns the passkey's counter
 * @throws HubRefusal PASSKEY_REFUSED
 */
export async function checkAssertion(
  proof: PasskeyProof,
  passkey: PasskeyRecord,
  expected: Expected,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library();
  const { credentialId: id, authenticatorData, clientData, signature } = proof;
  const checked = await orRefuse(() =>
    verifyAuthenticationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { authenticatorData, clientDataJSON: clientData, signature },
      },
      expectedChallenge: challengeOf(proof.nonce, expected.text),
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      // The counter is looked at by the domain, which tells a copy from a wrong signature.
      credential: { id, publicKey: bytesOf(passkey.publicKey), counter: 0 },
      requireUserVerification: true,
    }),
  );
  return checked.authenticationInfo.newCounter;
}

type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/**
 * Checks a new passkey. Whose make it is does not matter here, so no attestation is asked for.
 *
 * @throws HubRefusal PASSKEY_REFUSED
 */
export async function checkRegistration(
  body: RegisterPasskey,
  expected: Expected,
): Promise<Registered> {
  const { verifyRegistrationResponse } = await library();
  const { credentialId: id, clientData, attestation } = body;
  const checked = await orRefuse(() =>
    verifyRegistrationResponse({
      response: {
        ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
        response: { clientDataJSON: clientData, attestationObject: attestation },
      },
      expectedChallenge: challengeOf(body.nonce, expected.text),
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
    }),
  );
  return checked.registrationInfo as Registered;
}

/** The library throws where something is not as expected, and says so where only the signature is wrong. */
async function orRefuse<T extends { verified: boolean }>(check: () => Promise<T>): Promise<T> {
  try {
    const checked = await check();
    if (checked.verified) return checked;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HubRefusal('PASSKEY_REFUSED', `The passkey's proof is not good: ${why}`, { cause });
  }
  throw new HubRefusal('PASSKEY_REFUSED', "The passkey's signature is wrong.");
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(base64url, 'base64url'));
