import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { axeFindings, openDevice, startBrowser, type DevicePage } from '../../support/browser.js';
import { beginConversation, picture } from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';
import { MAIN_JOB } from './main-job-scenario.js';

const MINUTES = 60_000;
const SUPERVISOR = fileURLToPath(new URL('../../../dist/run/supervisor.mjs', import.meta.url));

let claude: ClaudeProduct;
let browser: Browser;
let device: DevicePage;
let page: Page;
let debugging: CDPSession;
let authenticatorId: string;

/** The page under the name that the loopback has: an address in digits can have no passkeys. */
const origin = (): string => `http://localhost:${new URL(claude.product.url).port}`;

/** Chromium's authenticator in software, with a person who is there and lets herself be verified. */
async function plugIn(into: Page): Promise<void> {
  debugging = await into.context().newCDPSession(into);
  await debugging.send('WebAuthn.enable');
  const added = await debugging.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  authenticatorId = added.authenticatorId;
}
const verifies = (isUserVerified: boolean): Promise<unknown> =>
  debugging.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });

const settings = (): Promise<unknown> => page.goto(`${origin()}/#/settings/devices`);

beforeAll(async () => {
  claude = await startClaudeProduct(MAIN_JOB);
  browser = await startBrowser();
}, 5 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await claude?.close();
}, 2 * MINUTES);

describe('passkeys, as a person uses them', () => {
  it(
    '[S1] an address in digits says that it can have none, and leads to one that can',
    async () => {
      device = await openDevice(browser);
      page = device.page;
      page.setDefaultTimeout(MINUTES / 3);
      await page.goto(await claude.pairingLink());
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await page.goto(`${claude.product.url}/#/settings/devices`);
      await page.getByTestId('passkey-address').waitFor();
      await picture(page, 'passkeys-no-name-desktop-light');
      await page.getByRole('button', { name: /^Open http:\/\/localhost/ }).click();
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      expect(page.url().startsWith(origin())).toBe(true);
    },
    2 * MINUTES,
  );

  it(
    '[S1] one is added, and all cards are made to need it',
    async () => {
      await plugIn(page);
      await settings();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Thumb');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByTestId('passkey').waitFor();
      await page.getByText('All cards').click();
      await page.getByRole('radio', { name: /All cards/, checked: true }).waitFor();
      await page.getByText(/^Works at localhost.*Used/).waitFor();
      await picture(page, 'passkeys-desktop-light');
    },
    2 * MINUTES,
  );

  it(
    '[S1] a tap asks for it, and the agent goes on',
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
    '[S1] a tap decides nothing while the person is not verified, and does once she is',
    async () => {
      await verifies(false);
      const conversation = await beginConversation(claude, 'one tap: not me');
      await page.goto(`${origin()}/#/c/${conversation.id}`);
      await page.getByRole('button', { name: /SQLite/ }).click();
      await page.getByText(/The passkey gave nothing/).waitFor();
      await picture(page, 'passkey-gave-nothing-desktop-light');
      expect(await page.getByTestId('settled-card').count()).toBe(0);
      await verifies(true);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByTestId('settled-card').waitFor();
    },
    2 * MINUTES,
  );

  it(
    '[S1] a device without it is refused and told why',
    async () => {
      const conversation = await beginConversation(claude, 'one tap: from elsewhere');
      const plain = await openDevice(browser, { viewport: 'phone', theme: 'dark' });
      await plain.page.goto(await claude.pairingLink());
      await plain.page.getByRole('button', { name: 'Sign in' }).click();
      await plain.page.getByRole('heading', { name: 'Inbox' }).waitFor();
      await plain.page.goto(`${claude.product.url}/#/c/${conversation.id}`);
      await plain.page.getByRole('button', { name: /SQLite/ }).click();
      await plain.page.getByText(/Passkeys need an address with a name/).waitFor();
      await picture(plain.page, 'passkey-needed-phone-dark');
      expect(await plain.page.getByTestId('settled-card').count()).toBe(0);
      await plain.context.close();
    },
    2 * MINUTES,
  );

  it(
    '[D7] axe finds nothing against WCAG 2.2 AA in their settings, in light and dark',
    async () => {
      const findings: string[] = [];
      for (const theme of ['light', 'dark'] as const) {
        for (const viewport of ['desktop', 'phone'] as const) {
          const width = viewport === 'phone' ? 390 : 1440;
          await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
          await page.setViewportSize({ width, height: 900 });
          await settings();
          await page.getByTestId('passkey').waitFor();
          await page.getByTestId('passkey').scrollIntoViewIfNeeded();
          await picture(page, `passkeys-${viewport}-${theme}`);
          findings.push(...(await axeFindings(page)));
        }
      }
      expect(findings).toEqual([]);
    },
    2 * MINUTES,
  );

  it(
    '[S1] who lost it takes it away on the machine itself',
    async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [SUPERVISOR, '--forget-passkeys'],
        {
          env: {
            ...{ PATH: process.env['PATH'], HOME: claude.product.home },
            COXSWAIN_HOME: join(claude.product.home, 'coxswain'),
            COXSWAIN_PORT: new URL(claude.product.url).port,
          },
        },
      );
      expect(stdout).toContain('One passkey was taken away');
      await page.reload();
      await page.getByText('Add a passkey first').waitFor();
      expect(await page.getByTestId('passkey').count()).toBe(0);
    },
    2 * MINUTES,
  );

  it('[S5] no page broke its own security policy or threw', () => {
    const ours = device.complaints.filter((line) => !/net::ERR|WebSocket|status of 403/.test(line));
    expect(ours).toEqual([]);
  });
});
