import { PasskeyId } from './ids.js';
import {
  PasskeyNonce,
  Passkeys,
  RegisterPasskey,
  RemovePasskey,
  RequirePasskeys,
} from './passkeys.js';
import type { Route } from './route.js';

/** S1: the routes of passkeys. */
export const PASSKEY_ROUTES = {
  passkeys: {
    method: 'GET',
    path: '/api/passkeys',
    for: 'device',
    summary: "The person's passkeys, and which decisions need one.",
    answer: Passkeys,
  },
  passkeyNonce: {
    method: 'POST',
    path: '/api/passkeys/nonces',
    for: 'device',
    summary: 'What a ceremony of WebAuthn needs at this address; good once and for minutes.',
    answer: PasskeyNonce,
  },
  registerPasskey: {
    method: 'POST',
    path: '/api/passkeys',
    for: 'device',
    summary: 'Adds a passkey; once decisions need passkeys, another one has to prove it.',
    body: RegisterPasskey,
    answer: Passkeys,
  },
  requirePasskeys: {
    method: 'PUT',
    path: '/api/passkeys/requirement',
    for: 'device',
    summary: 'Says which decisions need a passkey; a passkey has to prove it.',
    body: RequirePasskeys,
    answer: Passkeys,
  },
  removePasskey: {
    method: 'POST',
    path: '/api/passkeys/:id/removal',
    for: 'device',
    summary: 'Removes a passkey; a passkey has to prove it.',
    params: { id: PasskeyId },
    body: RemovePasskey,
    answer: Passkeys,
  },
} as const satisfies { readonly [name: string]: Route };
