import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { axeFindings, openDevice, startBrowser, type DevicePage } from '../../support/browser.js';
import { picture } from '../../support/claude-page.js';
import { DeviceClient } from '../../support/device-client.js';
import { startProduct, type Product } from '../../support/product.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';

const MINUTES = 60_000;
const LOOKS = [
  { viewport: 'desktop', theme: 'light' },
  { viewport: 'desktop', theme: 'dark' },
  { viewport: 'phone', theme: 'light' },
  { viewport: 'phone', theme: 'dark' },
] as const;

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let product: Product;
let desk: DeviceClient;
let browser: Browser;

const secretOf = (link: string): string => link.split('/').at(-1) ?? '';
const newSecret = async (): Promise<string> =>
  ((await desk.post('/api/devices/pairing-links')).body as { secret: string }).secret;

async function signedIn(
  options: Parameters<typeof openDevice>[1],
  name = 'A browser',
): Promise<DevicePage> {
  const opened = await openDevice(browser, options);
  opened.page.setDefaultTimeout(MINUTES);
  await opened.page.goto(`${product.url}/#/sign-in/${await newSecret()}`);
  await opened.page.getByLabel('Name of this device').fill(name);
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  await opened.page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return opened;
}

/** A link that was used, and that somebody else tries. */
async function useAgain(name: string): Promise<void> {
  const secret = await newSecret();
  await new DeviceClient(product.url, 'First').signIn(secret);
  const thief = await new DeviceClient(product.url, name).signIn(secret);
  expect(thief.status).toBe(410);
}

beforeAll(async () => {
  scratch = await makeScratchFolder();
  product = await startProduct({ home: scratch.path });
  desk = new DeviceClient(product.url, 'Workbench');
  await desk.signIn(secretOf(product.signInLink));
  browser = await startBrowser();
}, 2 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await product?.stop();
  await scratch?.remove();
}, MINUTES);

describe('a link that is used a second time', () => {
  it.each(LOOKS)(
    '[S1] alarms every device until a person has seen it ($viewport, $theme)',
    async ({ viewport, theme }) => {
      const { page, context } = await signedIn({ viewport, theme });
      await useAgain('Somebody’s laptop');
      const alarm = page.getByTestId('link-alarm');
      await alarm.waitFor();
      await picture(page, `link-alarm-${viewport}-${theme}`);
      const findings = await axeFindings(page);
      await alarm.getByRole('link', { name: 'Devices' }).click();
      await page.getByRole('heading', { name: 'Devices' }).first().waitFor();
      await picture(page, `devices-under-alarm-${viewport}-${theme}`);
      await alarm.getByRole('button', { name: 'I have seen it' }).click();
      await alarm.waitFor({ state: 'detached' });
      await context.close();
      expect(findings).toEqual([]);
    },
    2 * MINUTES,
  );
});

describe('pairing', () => {
  const open = async (page: Page): Promise<void> => {
    await page.goto(`${product.url}/#/settings/devices`);
    await page.getByRole('button', { name: 'Pair a device' }).click();
    await page.getByTestId('pairing-link').waitFor();
  };

  it.each(LOOKS)(
    '[D7] shows a code that axe finds nothing against ($viewport, $theme)',
    async ({ viewport, theme }) => {
      const { page, context } = await signedIn({ viewport, theme });
      await open(page);
      await picture(page, `pairing-${viewport}-${theme}`);
      const findings = await axeFindings(page);
      await context.close();
      expect(findings).toEqual([]);
    },
    2 * MINUTES,
  );

  it(
    '[S1] a device that is revoked is out at once, its open page too',
    async () => {
      const owner = await signedIn({});
      const lost = await signedIn({ viewport: 'phone', theme: 'light' }, 'Lost phone');
      await owner.page.goto(`${product.url}/#/settings/devices`);
      const target = owner.page.getByTestId('device').filter({ hasText: 'Lost phone' });
      await target.getByRole('button', { name: 'Revoke' }).click();
      await owner.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await lost.page
        .getByText(/revoked/i)
        .first()
        .waitFor();
      await picture(lost.page, 'revoked-phone-light');
      expect(await lost.page.getByRole('heading', { name: 'Inbox' }).count()).toBe(0);
      await owner.context.close();
      await lost.context.close();
    },
    2 * MINUTES,
  );
});
