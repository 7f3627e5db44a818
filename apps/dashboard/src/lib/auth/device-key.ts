import { DevicePublicKey, type DeviceId, type Signature } from '#contracts';
import { base64url } from './base64url.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** A device's key. The private half can't be read out of the browser, not even by this page (S1). */
export interface DeviceKey {
  readonly publicKey: DevicePublicKey;
  readonly keyPair: CryptoKeyPair;
}

/** A key that the hub knows, with the id that it gave. */
export interface KnownDevice extends DeviceKey {
  readonly deviceId: DeviceId;
}

/** Whether this page may use keys at all: browsers give WebCrypto to https and loopback pages only. */
export function keysAvailable(): boolean {
  return globalThis.isSecureContext && globalThis.crypto?.subtle !== undefined;
}

/** Makes a new key whose private half is not extractable. */
export async function makeDeviceKey(): Promise<DeviceKey> {
  const keyPair = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keyPair.publicKey);
  return { keyPair, publicKey: DevicePublicKey.parse({ kty, crv, x, y }) };
}

/** Signs a text of contracts' signing.ts. */
export async function signWith(key: DeviceKey, text: string): Promise<Signature> {
  const bytes = new TextEncoder().encode(text);
  return base64url(await crypto.subtle.sign(SIGNING, key.keyPair.privateKey, bytes));
}
