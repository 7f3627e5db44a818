import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** A key pair whose private half stays in its file. */
export interface KeyFile {
  /** PKCS#8 PEM, 0600. */
  readonly file: string;
  /** The raw Ed25519 public key as base64url. */
  readonly publicKey: string;
}

/**
 * Reads the Ed25519 key in a file, or makes one where there is none.
 *
 * @throws Error where the file holds something else; a key is never replaced by itself, because others know it
 */
export async function readOrMakeKey(file: string): Promise<KeyFile> {
  const pem = (await readPem(file)) ?? (await makePem(file));
  return { file, publicKey: rawPublicKey(parsePem(file, pem)) };
}

async function readPem(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function makePem(file: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, pem, { mode: 0o600, flush: true });
  await link(draft, file);
  await rm(draft);
  return pem;
}

function parsePem(file: string, pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new Error(
      `${file} holds no key. Put it back from a backup, or remove it and pair again.`,
      { cause },
    );
  }
  throw new Error(
    `${file} holds no Ed25519 key. Put it back from a backup, or remove it and pair again.`,
  );
}

function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('An Ed25519 key has an x coordinate.');
  return x;
}
