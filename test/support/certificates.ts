import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

type KeyPair = webcrypto.CryptoKeyPair;

const newKeys = async (): Promise<KeyPair> =>
  (await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as KeyPair;

/** PEM of a certificate and of its key. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority of the test's own. */
export class TestAuthority {
  private constructor(
    private readonly keys: KeyPair,
    /** What a client is to trust, PEM. */
    readonly root: string,
  ) {}

  static async found(): Promise<TestAuthority> {
    const keys = await newKeys();
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Test authority',
      notBefore: new Date(Date.now() - DAY),
      notAfter: new Date(Date.now() + 365 * DAY),
      signingAlgorithm: ALGORITHM,
      keys,
      extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
    });
    return new TestAuthority(keys, root.toString('pem'));
  }

  /**
   * @param names names and addresses that it is for
   * @param life when it begins and ends, in days from now
   */
  async issue(names: readonly string[], life = { from: -1, to: 90 }): Promise<MadeCertificate> {
    const keys = await newKeys();
    const made = await x509.X509CertificateGenerator.create({
      serialNumber: webcrypto.randomUUID().replaceAll('-', ''),
      subject: `CN=${names[0] ?? 'nobody'}`,
      issuer: 'CN=Test authority',
      notBefore: new Date(Date.now() + life.from * DAY),
      notAfter: new Date(Date.now() + life.to * DAY),
      signingAlgorithm: ALGORITHM,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
        ),
      ],
    });
    const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    return {
      cert: made.toString('pem'),
      key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
    };
  }
}
