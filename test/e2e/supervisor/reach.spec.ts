import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openDevice, startBrowser, type DevicePage } from '../../support/browser.js';
import { TestAuthority } from '../../support/certificates.js';
import { beginConversation, picture, signInAtPage } from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';
import { freePort } from '../../support/product.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';
import { MAIN_JOB } from '../page/main-job-scenario.js';

const MINUTES = 60_000;
const SUPERVISOR = fileURLToPath(new URL('../../../dist/run/supervisor.mjs', import.meta.url));
// Chromium takes every name below `localhost` for the loopback, without asking anybody.
const NAME = 'coxswain.localhost';

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let authority: TestAuthority;
let claude: ClaudeProduct;
let browser: Browser;
let phone: DevicePage;
let page: Page;
let port: number;
const origin = (): string => `https://${NAME}:${port}`;
const files = () => ({
  cert: path.join(scratch.path, 'cert.pem'),
  key: path.join(scratch.path, 'key.pem'),
});

async function putNewCertificate(): Promise<void> {
  const { cert, key } = await authority.issue([NAME]);
  await writeFile(files().cert, cert);
  await writeFile(files().key, key);
}

/** The serial number of the certificate that a new connection is shown. */
async function serialShown(): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername: NAME, ca: authority.root });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

beforeAll(async () => {
  scratch = await makeScratchFolder();
  authority = await TestAuthority.found();
  await putNewCertificate();
  port = await freePort();
  claude = await startClaudeProduct(MAIN_JOB, {
    COXSWAIN_LISTEN: `0.0.0.0:${port}`,
    COXSWAIN_PUBLIC_URL: origin(),
    COXSWAIN_TLS_CERT: files().cert,
    COXSWAIN_TLS_KEY: files().key,
  });
  browser = await startBrowser();
}, 5 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await claude?.close();
  await scratch?.remove();
}, 2 * MINUTES);

describe('a phone beyond the loopback', () => {
  it(
    '[S1] is paired by a code that leads to the declared address',
    async () => {
      const desk = await signInAtPage(claude, browser);
      await desk.page.goto(`${claude.product.url}/#/settings/devices`);
      await desk.page.getByRole('button', { name: 'Pair a device' }).click();
      const link = await desk.page.getByTestId('pairing-link').inputValue();
      await picture(desk.page, 'pairing-outside-desktop-light');
      await desk.context.close();
      expect(link.startsWith(`${origin()}/#/sign-in/`)).toBe(true);
      phone = await openDevice(browser, { viewport: 'phone', takesAnyCertificate: true });
      page = phone.page;
      page.setDefaultTimeout(MINUTES);
      await page.goto(link);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    },
    2 * MINUTES,
  );

  it(
    '[S5] answers a card over TLS, and the agent goes on',
    async () => {
      const conversation = await beginConversation(claude, 'one tap');
      await page.goto(`${origin()}/#/c/${conversation.id}`);
      await page.getByRole('button', { name: /SQLite/ }).click();
      await page.getByLabel('Transcript').getByText('I was told:').waitFor();
      expect(await page.getByTestId('settled-card').innerText()).toContain('SQLite');
    },
    2 * MINUTES,
  );

  it(
    '[S5] stays connected while the certificate is replaced, which new connections are shown',
    async () => {
      const before = await serialShown();
      await putNewCertificate();
      await claude.product.printed(/The certificate was replaced/);
      const after = await serialShown();
      const conversation = await beginConversation(claude, 'one tap: after the new one');
      await page.goto(`${origin()}/#/c/${conversation.id}`);
      await page.getByRole('button', { name: /SQLite/ }).click();
      await page.getByTestId('settled-card').waitFor();
      expect(after).not.toBe(before);
    },
    2 * MINUTES,
  );

  it(
    '[S5] reads of files that broke, while the certificate in use stays',
    async () => {
      const before = await serialShown();
      await writeFile(files().cert, 'broken');
      await page.goto(`${origin()}/#/inbox`);
      const note = page.getByTestId('certificate-trouble');
      await note.waitFor();
      await picture(page, 'certificate-trouble-phone-light');
      expect(await note.innerText()).toContain(files().cert);
      expect(claude.product.output()).toMatch(/holds no certificate in PEM.*The one in use stays/);
      process.kill(claude.product.pidOf('hub'), 'SIGKILL');
      await claude.product.printed(/The hub stopped/);
      await note.waitFor();
      expect(await serialShown()).toBe(before);
      await putNewCertificate();
      await note.waitFor({ state: 'detached' });
    },
    3 * MINUTES,
  );

  it('[S5] finds a page that breaks none of its own rules', () => {
    const ours = phone.complaints.filter(
      (line) => !line.includes('net::ERR') && !line.includes('WebSocket'),
    );
    expect(ours).toEqual([]);
  });
});

it('[S5] Coxswain does not start beyond the loopback without TLS, and says what to do', async () => {
  const started = promisify(execFile)(process.execPath, [SUPERVISOR], {
    env: {
      ...{ PATH: process.env['PATH'], HOME: scratch.path, COXSWAIN_LISTEN: '0.0.0.0' },
      COXSWAIN_HOME: path.join(scratch.path, 'refused'),
    },
  });
  await expect(started).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/insists on TLS.*COXSWAIN_TLS_CERT.*reach-from-a-phone/),
  });
});
