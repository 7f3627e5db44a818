import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { type openDevice, startBrowser, type DevicePage } from '../../support/browser.js';
import { beginConversation, picture, signInAtPage } from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';
import { MAIN_JOB } from './main-job-scenario.js';

const MINUTES = 60_000;
const AWAY = { code: 'UNAVAILABLE', message: 'The database can not be reached.' };
const FAULT = { code: 'INTERNAL', message: 'Something failed in the hub; its log says what.' };

/** Runs in the page: waits until a card left the list, and taps the choice that came up in the same moment. */
const TAP_AS_SOON_AS_IT_MOVED = `new Promise((resolve) => {
  new MutationObserver(() => {
    const choice = document.querySelector('.cards [role="checkbox"]');
    const tap = { bubbles: true, cancelable: true, detail: 1, pointerType: 'touch' };
    choice.dispatchEvent(new PointerEvent('click', tap));
    resolve();
  }).observe(document.querySelector('.cards'), { childList: true });
})`;
const LOOK_OF_UNIT_TESTS = `getComputedStyle(
  [...document.querySelectorAll('[role="checkbox"]')].find((one) => one.textContent.includes('Unit tests')),
).backgroundColor`;

let claude: ClaudeProduct;
let browser: Browser;

async function signIn(options: Parameters<typeof openDevice>[1] = {}): Promise<DevicePage> {
  const opened = await signInAtPage(claude, browser, options);
  opened.page.setDefaultTimeout(MINUTES);
  return opened;
}

beforeAll(async () => {
  claude = await startClaudeProduct(MAIN_JOB);
  browser = await startBrowser();
}, 10 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await claude?.close();
}, 2 * MINUTES);

describe('the inbox under a finger', () => {
  let phone: DevicePage;
  let page: Page;
  beforeAll(async () => {
    phone = await signIn({ viewport: 'phone' });
    page = phone.page;
    await beginConversation(claude, 'one tap: under a finger');
    await card('Which database').waitFor();
    await beginConversation(claude, 'several answers: below it');
    await card('Which checks').waitFor();
  }, 3 * MINUTES);
  afterAll(() => phone.context.close());

  const card = (question: string): Locator =>
    page.getByTestId('inbox-card').filter({ hasText: question });
  const topOf = (of: Locator): Promise<number | undefined> =>
    of.boundingBox().then((box) => box?.y);

  it(
    '[D1] a second tap at the point that answered meets no other conversation’s card',
    async () => {
      const option = card('Which database').getByRole('button', { name: /Keep the current one/ });
      await option.scrollIntoViewIfNeeded();
      const box = await option.boundingBox();
      if (box === null) throw new Error('The option is not on the screen.');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const before = await topOf(card('Which checks'));
      await page.touchscreen.tap(x, y);
      await page.getByTestId('settled-card').waitFor();
      await picture(page, 'settled-under-finger-phone');
      expect(await topOf(card('Which checks'))).toBe(before);
      await page.touchscreen.tap(x, y);
      expect(await page.locator('[aria-checked="true"]').count()).toBe(0);
    },
    MINUTES,
  );

  it(
    '[C13] what was answered is in view right after the tap, however tall the card was',
    async () => {
      const line = await page.getByTestId('settled-card').boundingBox();
      expect(line?.y).toBeGreaterThanOrEqual(0);
      expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(844);
    },
    MINUTES,
  );

  it(
    '[D1] the card that ended gives its room free once the hand is still, and what moved up takes no tap at once',
    async () => {
      await page.evaluate(TAP_AS_SOON_AS_IT_MOVED);
      expect(await page.locator('[aria-checked="true"]').count()).toBe(0);
      expect(await page.getByTestId('settled-card').count()).toBe(0);
    },
    MINUTES,
  );

  it(
    '[D1] a finger leaves no look of a choice behind on what it did not choose',
    async () => {
      const option = page.getByRole('checkbox', { name: /Unit tests/ });
      const look = (): Promise<unknown> => page.evaluate(LOOK_OF_UNIT_TESTS);
      const untouched = await look();
      await option.hover();
      expect(await look()).toBe(untouched);
    },
    MINUTES,
  );
});

describe('the line to a hub that is in trouble', () => {
  let device: DevicePage;
  let page: Page;
  beforeAll(async () => {
    device = await signIn();
    page = device.page;
  }, MINUTES);
  afterAll(() => device.context.close());

  const mark = (phase: string): Locator => page.locator(`.mark[data-phase="${phase}"]`);
  const refuseTokens = async (status: number, json: object): Promise<void> => {
    await page.route('**/api/devices/token', (route) => route.fulfill({ status, json }));
  };

  it.each([
    { status: 500, json: FAULT },
    { status: 503, json: AWAY },
  ])(
    '[S1] a hub that can give no token for now ($status) signs nobody out, and the page comes back by itself',
    async ({ status, json }) => {
      let refused = 0;
      await refuseTokens(status, json);
      await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: AWAY }));
      const often = new Promise<void>((resolve) =>
        page.on('response', (response) => {
          if (response.url().endsWith('/api/devices/token') && ++refused > 4) resolve();
        }),
      );
      await page.reload();
      await often;
      await mark('no-database').waitFor();
      expect(await page.getByText('This device is not signed in').count()).toBe(0);
      await picture(page, `no-database-desktop-${status}`);
      await page.unroute('**/api/devices/token');
      await page.unroute('**/readyz');
      await mark('live').waitFor();
    },
    2 * MINUTES,
  );

  it(
    '[D6] while the line stands and the database is away, the page says so in words, and moves nothing for it',
    async () => {
      const title = page.getByRole('heading', { name: 'Inbox' });
      const before = await title.boundingBox();
      await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: AWAY }));
      await page.getByText('The hub can’t reach its database').waitFor();
      expect(await title.boundingBox()).toEqual(before);
      await page.unroute('**/readyz');
      await mark('live').waitFor();
    },
    2 * MINUTES,
  );

  it(
    '[S1] a hub that denies to know the device signs it out',
    async () => {
      await refuseTokens(401, {
        code: 'UNAUTHENTICATED',
        message: 'This device is not signed in.',
      });
      await page.reload();
      await page.getByText('it has been revoked from another one').waitFor();
    },
    MINUTES,
  );
});
