import {
  PasskeyTransport,
  passkeyText,
  type PasskeyNonce,
  type PasskeyProof,
  type RegisterPasskey,
} from '#contracts';
import { base64url } from './base64url.js';

/** Why this page could not ask for a passkey. */
export type PasskeyTrouble =
  /** None of the person's passkeys works at this address. */
  | 'none-here'
  /** The address is one in digits, which can have no passkeys. */
  | 'no-name'
  /** The browser has none of it. */
  | 'no-browser'
  /** The person or the browser gave up, or it took too long. */
  | 'cancelled';

/** A passkey could not be asked for, or gave nothing; the page has the words by `trouble`. */
export class PasskeyProblem extends Error {
  constructor(
    readonly trouble: PasskeyTrouble,
    options?: ErrorOptions,
  ) {
    super(trouble, options);
  }
}

/** How a nonce for the next ceremony is got from the hub. */
export type AskNonce = () => Promise<PasskeyNonce>;

// Fetched with the first passkey: most pages never need it.
const library = () => import('@simplewebauthn/browser');

/** Whether this page's address can have passkeys: WebAuthn wants a name, and `127.0.0.1` is none. */
export const hasName = (): boolean => !/^(\d+\.\d+\.\d+\.\d+|\[.*\])$/.test(location.hostname);

async function askedFor(askNonce: AskNonce): Promise<PasskeyNonce> {
  if (!hasName()) throw new PasskeyProblem('no-name');
  const { browserSupportsWebAuthn } = await library();
  if (!browserSupportsWebAuthn()) throw new PasskeyProblem('no-browser');
  return askNonce();
}

async function challengeOf(nonce: string, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(passkeyText({ nonce, text }));
  return base64url(await crypto.subtle.digest('SHA-256', bytes));
}

async function orCancelled<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (cause) {
    throw new PasskeyProblem('cancelled', { cause });
  }
}

/**
 * Has a passkey of the person's sign a text of contracts, with the person verified.
 *
 * @throws PasskeyProblem, and what the hub refuses a nonce with
 */
export async function provePasskey(askNonce: AskNonce, text: string): Promise<PasskeyProof> {
  const { nonce, rpId, expiresIn, credentials } = await askedFor(askNonce);
  if (credentials.length === 0) throw new PasskeyProblem('none-here');
  const { startAuthentication } = await library();
  const challenge = await challengeOf(nonce, text);
  const { id, response } = await orCancelled(() =>
    startAuthentication({
      optionsJSON: {
        ...{ challenge, rpId, timeout: expiresIn, userVerification: 'required' },
        allowCredentials: credentials.map((one) => ({ ...one, type: 'public-key' as const })),
      },
    }),
  );
  const { authenticatorData, clientDataJSON: clientData, signature } = response;
  return { nonce, credentialId: id, authenticatorData, clientData, signature };
}

const ES256 = -7;
const RS256 = -257;

/**
 * Makes a new passkey for this address.
 *
 * @throws PasskeyProblem, and what the hub refuses a nonce with
 */
export async function makePasskey(
  askNonce: AskNonce,
  of: { readonly name: string; readonly text: string },
): Promise<Omit<RegisterPasskey, 'proof'>> {
  const { nonce, rpId, expiresIn, userHandle, credentials } = await askedFor(askNonce);
  const { startRegistration } = await library();
  const challenge = await challengeOf(nonce, of.text);
  const { id, response } = await orCancelled(() =>
    startRegistration({
      optionsJSON: {
        ...{ challenge, timeout: expiresIn, attestation: 'none' },
        rp: { id: rpId, name: 'Coxswain' },
        user: { id: userHandle, name: 'Coxswain', displayName: of.name },
        pubKeyCredParams: [ES256, RS256].map((alg) => ({ alg, type: 'public-key' as const })),
        excludeCredentials: credentials.map((one) => ({ ...one, type: 'public-key' as const })),
        authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' },
      },
    }),
  );
  const { clientDataJSON: clientData, attestationObject: attestation, transports = [] } = response;
  // Words that are newer than this page are of no use to it.
  const known = transports.flatMap((one) => PasskeyTransport.safeParse(one).data ?? []);
  return { nonce, name: of.name, credentialId: id, clientData, attestation, transports: known };
}
