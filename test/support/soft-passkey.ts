import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { passkeyText, type PasskeyNonce, type PasskeyProof } from '#contracts';

/** What a test lets its authenticator do otherwise than it should. */
export interface Otherwise {
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly origin?: string;
  readonly text?: string;
}

const base64url = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (of: string | Buffer): Buffer => createHash('sha256').update(of).digest();

/** CBOR (RFC 8949) of what an authenticator says: integers, bytes, texts and maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    return n < 256
      ? Buffer.from([(major << 5) | 24, n])
      : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([head(3, text.length), text]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, of]) => [cbor(key), cbor(of as Buffer)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

/** An authenticator in software that counts: a key of its own for one RP ID. */
export class SoftPasskey {
  readonly credentialId = base64url(randomBytes(32));
  private readonly key: KeyObject;
  private readonly cose: Buffer;
  private counter = 0;

  constructor(
    private readonly rpId: string,
    private readonly origin: string,
  ) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = pair.privateKey;
    const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
    const bytes = (of: string): Buffer => Buffer.from(of, 'base64url');
    this.cose = cbor(
      new Map<number, unknown>([
        ...([
          [1, 2],
          [3, -7],
          [-1, 1],
        ] as [number, number][]),
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    );
  }

  /** What POST /api/passkeys takes. */
  register(nonce: PasskeyNonce, of: { name: string; text: string }) {
    const id = Buffer.from(this.credentialId, 'base64url');
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.cose]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Buffer.concat([this.authenticatorData(0x45), attested])],
    ]);
    return {
      ...{ nonce: nonce.nonce, name: of.name, credentialId: this.credentialId, transports: [] },
      clientData: base64url(
        this.clientData('webauthn.create', { nonce: nonce.nonce, text: of.text }),
      ),
      attestation: base64url(cbor(attestation)),
    };
  }

  prove(nonce: Pick<PasskeyNonce, 'nonce'>, text: string, otherwise: Otherwise = {}): PasskeyProof {
    this.counter = otherwise.counter ?? this.counter + 1;
    const flags = (otherwise.userVerified ?? true) ? 0x05 : 0x01;
    const authenticatorData = this.authenticatorData(flags);
    const clientData = this.clientData('webauthn.get', { nonce: nonce.nonce, text, ...otherwise });
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      ...{ nonce: nonce.nonce, credentialId: this.credentialId },
      authenticatorData: base64url(authenticatorData),
      clientData: base64url(clientData),
      signature: base64url(sign('sha256', signed, this.key)),
    };
  }

  private authenticatorData(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(this.rpId), Buffer.from([flags]), counter]);
  }

  private clientData(
    type: string,
    of: { readonly nonce: string; readonly text: string; readonly origin?: string },
  ): Buffer {
    const { nonce, text, origin = this.origin } = of;
    const challenge = base64url(sha256(passkeyText({ nonce, text })));
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
