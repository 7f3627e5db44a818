import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** The hub's Ed25519 key, which proves it to relays; it never leaves this process. */
export class HubKey {
  /** Raw, base64url. */
  readonly publicKey: string;

  private constructor(private readonly key: KeyObject) {
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    if (key.asymmetricKeyType !== 'ed25519' || x === undefined) {
      throw new Error("the hub's key is not an Ed25519 key");
    }
    this.publicKey = x;
  }

  /** @param file PKCS#8 PEM */
  static async read(file: string): Promise<HubKey> {
    return new HubKey(createPrivateKey(await readFile(file)));
  }

  /** Base64url. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }
}
