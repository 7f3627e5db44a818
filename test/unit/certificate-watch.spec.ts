import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CertificateWatch,
  type CertificateChange,
} from '../../apps/supervisor/src/certificate-watch.js';
import { TestAuthority, type MadeCertificate } from '../support/certificates.js';

const NAME = 'coxswain.example';
const DAY = 86_400_000;

let authority: TestAuthority;
let first: MadeCertificate;
let folder: string;
let told: CertificateChange[];
let later: number;
let watch: CertificateWatch | undefined;

const paths = () => ({ cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') });
async function put({ cert, key }: MadeCertificate): Promise<void> {
  await writeFile(paths().cert, cert);
  await writeFile(paths().key, key);
}
async function start(origin = `https://${NAME}:7718`): Promise<CertificateWatch> {
  watch = await CertificateWatch.start({
    ...{ paths: paths(), origins: [origin], now: () => Date.now() + later },
    changed: (change) => told.push(change),
  });
  return watch;
}
/** Two looks: what one of them finds may be half of a change. */
const lookTwice = async (at: CertificateWatch): Promise<void> => {
  await at.look();
  await at.look();
};

beforeAll(async () => {
  authority = await TestAuthority.found();
  first = await authority.issue([NAME]);
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'coxswain-test-'));
  told = [];
  later = 0;
  await put(first);
});
afterEach(async () => {
  watch?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the files of a certificate', () => {
  it.each([
    ['missing', async () => rm(paths().key), /^COXSWAIN_TLS_KEY: .*ENOENT/],
    ['no PEM', async () => writeFile(paths().cert, 'x'), /holds no certificate in PEM/],
    [
      'of another key',
      async () => put({ ...first, key: (await authority.issue([NAME])).key }),
      /is not the one of the certificate/,
    ],
    [
      'expired',
      async () => put(await authority.issue([NAME], { from: -9, to: -1 })),
      /expired on .*Renew it/,
    ],
    [
      'of the future',
      async () => put(await authority.issue([NAME], { from: 1, to: 9 })),
      /is not valid before .*clock/,
    ],
    [
      'for another name',
      async () => put(await authority.issue(['other.example', '10.0.0.1'])),
      /is for .*other\.example.*not for coxswain\.example/,
    ],
  ])('[S5] that are %s stop the start with words', async (_what, spoil, words) => {
    await spoil();
    await expect(start()).rejects.toThrow(words);
  });

  it('[S5] may be for an address', async () => {
    await put(await authority.issue(['192.168.1.5']));
    const { certificate } = await start('https://192.168.1.5:7718');
    expect(certificate.cert).toContain('BEGIN CERTIFICATE');
  });
});

describe('files that change while Coxswain runs', () => {
  it('[S5] are taken at the next look', async () => {
    const at = await start();
    const second = await authority.issue([NAME]);
    await put(second);
    await at.look();
    expect([at.certificate, told.map(({ certificate }) => certificate)]).toEqual([
      second,
      [second],
    ]);
  });

  it('[S5] that break leave the one in use, and that is told once', async () => {
    const at = await start();
    await writeFile(paths().cert, first.cert.slice(0, 200));
    await lookTwice(at);
    await lookTwice(at);
    expect(at.certificate).toEqual(first);
    expect(told).toEqual([
      expect.objectContaining({
        certificate: undefined,
        trouble: expect.objectContaining({ kind: 'unreadable', file: paths().cert }),
        words: expect.stringMatching(/holds no certificate.*The one in use stays\.$/),
      }),
    ]);
  });

  it('[S5] that are replaced one after the other are no reason for an alarm', async () => {
    const at = await start();
    const second = await authority.issue([NAME]);
    await writeFile(paths().cert, second.cert);
    await at.look();
    await writeFile(paths().key, second.key);
    await at.look();
    expect(told.map(({ trouble }) => trouble)).toEqual([undefined]);
  });

  it('[S5] that are whole again end the alarm', async () => {
    const at = await start();
    await put(await authority.issue([NAME], { from: -9, to: -1 }));
    await lookTwice(at);
    await put(first);
    await at.look();
    expect(told.map(({ trouble }) => trouble?.kind)).toEqual(['expired', undefined]);
    expect(at.trouble).toBeUndefined();
  });

  it('[S5] are asked for before the certificate ends, and once it has', async () => {
    const at = await start();
    later = 82 * DAY;
    await lookTwice(at);
    later = 91 * DAY;
    await lookTwice(at);
    expect(told.map(({ trouble }) => trouble?.kind)).toEqual(['ends-soon', 'expired']);
  });
});
