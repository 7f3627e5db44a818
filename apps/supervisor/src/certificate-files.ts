import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Certificate, CertificateTrouble } from '#contracts';
import { inWords } from './plain-words.js';
import type { CertificatePaths } from './reach-settings.js';

/** A certificate that can be shown. */
export interface SoundCertificate {
  readonly pem: Certificate;
  /** When it begins and ends, epoch milliseconds. */
  readonly from: number;
  readonly endsAt: number;
}

/** The certificate in the files can't be used; the message says why, for a person. */
export class CertificateError extends Error {
  readonly kind: CertificateTrouble['kind'];

  constructor(kind: CertificateTrouble['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Reads a certificate and its key, and looks whether a browser could take them for one of the origins.
 *
 * @param now epoch milliseconds
 * @throws CertificateError
 */
export async function readCertificate(
  paths: CertificatePaths,
  origins: readonly string[],
  now: number,
): Promise<SoundCertificate> {
  const pem = {
    cert: await readText('COXSWAIN_TLS_CERT', paths.cert),
    key: await readText('COXSWAIN_TLS_KEY', paths.key),
  };
  const { certificate, key } = parsed(pem, paths);
  if (!certificate.checkPrivateKey(key)) {
    throw new CertificateError(
      'not-a-pair',
      `COXSWAIN_TLS_KEY: the key in ${paths.key} is not the one of the certificate in ${paths.cert}.`,
    );
  }
  checkThatTlsTakes(pem, paths.cert);
  checkName(certificate, paths.cert, origins);
  const [from, endsAt] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (endsAt <= now) {
    throw new CertificateError(
      'expired',
      `COXSWAIN_TLS_CERT: the certificate in ${paths.cert} expired on ${certificate.validTo}. Renew it.`,
    );
  }
  if (from > now) {
    throw new CertificateError(
      'not-yet-valid',
      `COXSWAIN_TLS_CERT: the certificate in ${paths.cert} is not valid before ${certificate.validFrom}. Is the clock right?`,
    );
  }
  return { pem, from, endsAt };
}

async function readText(name: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new CertificateError('unreadable', `${name}: ${inWords(cause)}`, { cause });
  }
}

function parsed(
  pem: Certificate,
  paths: CertificatePaths,
): { certificate: X509Certificate; key: KeyObject } {
  let reading = `COXSWAIN_TLS_CERT: ${paths.cert} holds no certificate in PEM`;
  try {
    const certificate = new X509Certificate(pem.cert);
    reading = `COXSWAIN_TLS_KEY: ${paths.key} holds no private key in PEM that needs no passphrase`;
    const key = createPrivateKey(pem.key);
    return { certificate, key };
  } catch (cause) {
    throw new CertificateError('unreadable', `${reading} (${inWords(cause)}).`, { cause });
  }
}

/** The rest of the chain, say, or a key that is too short. */
function checkThatTlsTakes(pem: Certificate, file: string): void {
  try {
    createSecureContext({ ...pem });
  } catch (cause) {
    const words = `COXSWAIN_TLS_CERT: TLS does not take what is in ${file} (${inWords(cause)}).`;
    throw new CertificateError('unreadable', words, { cause });
  }
}

function checkName(certificate: X509Certificate, file: string, origins: readonly string[]): void {
  const hosts = origins.map((origin) => new URL(origin).hostname.replace(/^\[|\]$/g, ''));
  const covers = (host: string): boolean =>
    (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
  const other = hosts.find((host) => !covers(host));
  if (other === undefined) return;
  const names = certificate.subjectAltName ?? certificate.subject;
  throw new CertificateError(
    'other-name',
    `COXSWAIN_PUBLIC_URL: the certificate in ${file} is for ${names}, not for ${other}. Name the page by a name that ` +
      'the certificate has, or get one for this name.',
  );
}
