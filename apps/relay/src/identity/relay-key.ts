import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { MACHINE_DISK, type Disk } from '../disk/disk.js';
import { writeWholeFile } from '../disk/whole-file.js';

/** The relay's Ed25519 key. The key itself never crosses the link (link rule 8). */
export class RelayKey {
  /** Raw public key, base64url: how the hub knows this relay. */
  readonly publicKey: string;

  private constructor(private readonly key: KeyObject) {
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    if (x === undefined) throw new Error('An Ed25519 key has an x.');
    this.publicKey = x;
  }

  /** Reads the key (PKCS#8 PEM); makes one, 0600, where the file is missing. */
  static async load(file: string, disk: Disk = MACHINE_DISK): Promise<RelayKey> {
    try {
      return new RelayKey(createPrivateKey(await disk.read(file)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        throw new Error(
          `The relay's key in ${file} can't be used: it must be an Ed25519 key in PEM.`,
          {
            cause: error,
          },
        );
      }
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeWholeFile(disk, file, pem);
    return new RelayKey(privateKey);
  }

  /** Base64url signature of the text's UTF-8 bytes. */
  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }
}

/** Whether the holder of a raw public key (base64url) signed this text. A malformed key signed nothing. */
export function isSignedBy(of: { publicKey: string; text: string; signature: string }): boolean {
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: of.publicKey },
      format: 'jwk',
    });
    return verify(null, Buffer.from(of.text), key, Buffer.from(of.signature, 'base64url'));
  } catch {
    return false;
  }
}
