import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Conversation } from '#contracts';
import { startBrowser, type DevicePage } from '../../support/browser.js';
import {
  beginAtPage,
  beginConversation,
  picture,
  signInAtPage,
} from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';
import { MAIN_JOB } from './main-job-scenario.js';

const MINUTES = 60_000;

let claude: ClaudeProduct;
let browser: Browser;
let device: DevicePage;
let page: Page;

const begin = (text: string, on: Page = page): Promise<Conversation> =>
  beginAtPage(claude, on, { text });
const transcript = (): Locator => page.getByTestId('transcript');

beforeAll(async () => {
  claude = await startClaudeProduct(MAIN_JOB);
  browser = await startBrowser();
  device = await signInAtPage(claude, browser);
  page = device.page;
  page.setDefaultTimeout(MINUTES);
}, 10 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await claude?.close();
}, 2 * MINUTES);

describe('a question on the page of its conversation', () => {
  it(
    '[D4] stands in the panel, and is not announced a second time above it',
    async () => {
      await begin('several answers: said once');
      await page.getByTestId('question-panel').getByText('Which checks').waitFor();
      expect(await transcript().getByText('waits on you').count()).toBe(0);
    },
    MINUTES,
  );

  it(
    '[C2] that takes several is replied to with a selection only where there is one',
    async () => {
      const field = page.getByLabel('Answer in your own words');
      await page.getByRole('button', { name: 'Reply with selection' }).waitFor();
      await field.fill('none of these');
      await page.getByRole('button', { name: 'Reply', exact: true }).waitFor();
      await page.getByRole('checkbox', { name: /Load test/ }).click();
      expect(await page.getByRole('button', { name: 'Reply with selection' }).isEnabled()).toBe(
        true,
      );
    },
    MINUTES,
  );

  it(
    '[C13] is one line once it was answered, on a phone as well',
    async () => {
      await page.getByRole('button', { name: 'Reply with selection' }).click();
      const line = page.getByTestId('settled-card');
      await line.waitFor();
      const phone = await signInAtPage(claude, browser, { viewport: 'phone' });
      await phone.page.goto(page.url());
      const onPhone = phone.page.getByTestId('settled-card');
      await onPhone.waitFor();
      await picture(phone.page, 'settled-line-phone');
      const heights = [await line.boundingBox(), await onPhone.boundingBox()].map(
        (box) => box?.height,
      );
      await phone.context.close();
      expect(heights).toEqual([46, 46]);
    },
    MINUTES,
  );

  it(
    '[C13] says its words once when it is unfolded',
    async () => {
      await page.getByTestId('settled-card').getByRole('button').first().click();
      await picture(page, 'settled-open-desktop');
      expect(await page.getByTestId('settled-card').getByText('Which checks').count()).toBe(1);
    },
    MINUTES,
  );
});

describe('what an agent does, on its page', () => {
  it(
    '[D3] a tool call shows its command as code, and its arguments as they were given on demand',
    async () => {
      await begin('write me a poem');
      claude.model.release('poem');
      const call = page.getByTestId('tool').filter({ hasText: 'Bash' });
      await call.getByRole('button').click();
      await call.getByLabel('Command').getByText('echo the oar is wet').waitFor();
      expect(await call.getByText('Feel the oar').count()).toBe(1);
      await call.getByRole('button', { name: 'As the agent gave it' }).click();
      await call.getByText('"command": "echo the oar is wet"').waitFor();
    },
    MINUTES,
  );

  it(
    '[C9] a turn that was cut short with its relay says so, and goes on when the person says so',
    async () => {
      await begin('be cut short');
      await transcript().getByText('The coxswain calls,').waitFor();
      process.kill(claude.product.pidOf('relay'), 'SIGKILL');
      await page.getByTestId('cut-short').waitFor();
      await picture(page, 'cut-short-desktop');
      await page.getByRole('button', { name: 'Go on' }).click();
      await transcript().getByText('I go on with: Your last turn was cut short.').waitFor();
      expect(await page.getByTestId('cut-short').count()).toBe(0);
    },
    2 * MINUTES,
  );
});

describe('around a conversation', () => {
  it(
    '[D2] its place is the board, also where it was opened from the inbox',
    async () => {
      await beginConversation(claude, 'keep waiting: opened from the inbox');
      await page.goto(`${claude.product.url}/#/inbox`);
      await page.getByTestId('inbox-card').getByRole('link').first().click();
      await page.getByTestId('question-panel').waitFor();
      const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
      expect(await here.innerText()).toBe('Board');
    },
    MINUTES,
  );

  it(
    '[D3] archiving it says so, takes it out of the palette, and can be undone',
    async () => {
      const title = await page.getByRole('heading', { level: 1 }).innerText();
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await page.getByText(`“${title}” is in the archive.`).waitFor();
      await page.getByTestId('archived').waitFor();
      await page.keyboard.press('Control+k');
      const listed = page.getByRole('option').filter({ hasText: title });
      await page.getByRole('option').first().waitFor();
      expect(await listed.count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByTestId('archived').waitFor({ state: 'detached' });
    },
    MINUTES,
  );

  it(
    '[D1] a question mark tells the keys on every page, and a slash leads to the search',
    async () => {
      await page.goto(`${claude.product.url}/#/settings/about`);
      await page.getByRole('heading', { name: 'Settings' }).waitFor();
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog', { name: 'Keys' });
      await keys.waitFor();
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached' });
      await page.keyboard.press('/');
      await page.getByRole('searchbox', { name: 'Search conversations' }).waitFor();
      await page.keyboard.type('no such words');
      await page.getByText('0 conversations fit “no such words”').waitFor();
    },
    MINUTES,
  );

  it(
    '[D5] a folder that is not there is told at its field, and nothing begins',
    async () => {
      await page.goto(`${claude.product.url}/#/new`);
      await page.getByLabel('First message').fill('begin nowhere');
      const folder = page.getByRole('textbox', { name: 'Folder' });
      await folder.fill('/no/such/folder');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByText('There is no such folder on that machine.').waitFor();
      expect(await folder.getAttribute('aria-invalid')).toBe('true');
      expect(page.url()).toContain('#/new');
    },
    MINUTES,
  );
});
