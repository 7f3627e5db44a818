import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Conversation, RelayMode } from '#contracts';
import { say, text, tool, toolResult, type ModelCall, type Scenario } from '#scripted-models';
import { axeFindings, startBrowser, type DevicePage } from '../../support/browser.js';
import { beginAtPage, picture, signInAtPage } from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';

const MINUTES = 60_000;
const END = say(text('Done.'));
const bash = (id: string, command: string) =>
  say(tool('Bash', { command, description: 'Does it' }, id));
const LONG_PLAN = [
  '# Move the importer to streams',
  'The importer reads whole files into memory.',
  ...Array.from({ length: 40 }, (_, at) => [
    `## Step ${at + 1}`,
    '',
    `- Change part ${at + 1} of the importer.`,
    '- Run its tests.',
    '- Look at the memory that it takes.',
    '',
    'It must not get slower than it is.',
    '',
  ]).flat(),
].join('\n');

const planFile = (call: ModelCall): string =>
  /(\/\S+\/plans\/[\w.-]+\.md)/.exec(JSON.stringify(call.body))?.[1] ?? '/no-plan-file';

const SCENARIO: Scenario = {
  name: 'decisions',
  turns: [
    {
      on: 'clean the build',
      steps: [bash('clean', 'rm -rf dist && npm run build > build.log'), END],
    },
    {
      on: 'make it',
      steps: [bash('make', 'touch made.txt'), bash('make-2', 'touch made.txt'), END],
    },
    { on: 'once more, please', steps: [bash('again', 'touch made.txt'), END] },
    { on: 'take a while', steps: [bash('slow', 'touch notes.txt && tail -f notes.txt'), END] },
    { on: 'do not do it', steps: [bash('not', 'touch not.txt'), END] },
    {
      on: 'one more',
      steps: [bash('more', 'touch more.txt'), bash('last', 'touch last.txt'), END],
    },
    {
      on: 'change the greeting',
      steps: [
        (call) =>
          say(
            tool(
              'Write',
              { file_path: path.join(folderIn(call), 'greeting.ts'), content: GREETING },
              'write',
            ),
          ),
        END,
      ],
    },
    {
      on: 'plan the move',
      steps: [
        (call) =>
          say(tool('Write', { file_path: planFile(call), content: LONG_PLAN }, 'plan-file')),
        say(tool('ExitPlanMode', {}, 'plan')),
        END,
      ],
    },
  ],
};
const GREETING = 'export const greeting = (name: string): string => `Hello, ${name}!`;\n';
/** The client tells the model where it works. */
const folderIn = (call: ModelCall): string =>
  /working directory: (\/[^\s"\\]+)/i.exec(JSON.stringify(call.body))?.[1] ?? '/no-folder';

let claude: ClaudeProduct;
let browser: Browser;
let desk: DevicePage;
let page: Page;

beforeAll(async () => {
  claude = await startClaudeProduct(SCENARIO);
  browser = await startBrowser();
  desk = await signInAtPage(claude, browser);
  page = desk.page;
  page.setDefaultTimeout(MINUTES);
}, 10 * MINUTES);
afterAll(async () => {
  await browser?.close();
  await claude?.close();
}, 2 * MINUTES);

const begin = (text: string, mode: RelayMode, on: Page = page): Promise<Conversation> =>
  beginAtPage(claude, on, { text, mode });
const ready = (kind: 'approval' | 'plan', on: Page = page): Locator =>
  on.locator(`[data-testid="${kind}-card"][data-ready="true"]`);
const button = (name: string, on: Page = page): Locator => on.getByRole('button', { name });
const told = async (id: string): Promise<string> =>
  toolResult(await claude.model.call((call) => toolResult(call, id) !== undefined), id) ?? '';
const settled = (words: string, on: Page = page): Promise<void> =>
  on.getByTestId('settled-card').filter({ hasText: words }).first().waitFor();

describe('an action that waits for leave', () => {
  it(
    '[M3] is shown with exactly what will run, where, and what should be seen at a look',
    async () => {
      await begin('clean the build', 'ask');
      await ready('approval').waitFor();
      const shown = ready('approval');
      expect(await shown.getByTestId('action-subject').textContent()).toBe(
        'rm -rf dist && npm run build > build.log',
      );
      expect(await shown.textContent()).toMatch(/may delete[\s\S]*runs a script/);
      expect(await button('Allow in this conversation').count()).toBe(0);
      await picture(page, 'approval-command-desktop-light');
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, 'approval-command-desktop-dark');
      expect(await axeFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      await button('Deny').click();
      await settled('Denied');
    },
    3 * MINUTES,
  );

  it(
    '[M3] that is denied with a word does not run, and the agent reads the word',
    async () => {
      const { folder } = await begin('do not do it', 'ask');
      await ready('approval').waitFor();
      await page.getByLabel('A word to the agent').fill('Not in this folder.');
      await button('Deny').click();
      expect(await told('not')).toContain('Not in this folder.');
      expect(existsSync(path.join(folder, 'not.txt'))).toBe(false);
    },
    3 * MINUTES,
  );

  it(
    '[M3] can be allowed for the conversation in words that are there before, and taken back',
    async () => {
      const { folder } = await begin('make it', 'ask');
      await ready('approval').waitFor();
      expect(await ready('approval').textContent()).toContain(
        'until you take it back: touch made.txt',
      );
      await picture(page, 'approval-grant-desktop');
      await button('Allow in this conversation').click();
      expect(await told('make-2')).not.toContain('refused');
      expect(existsSync(path.join(folder, 'made.txt'))).toBe(true);
      await page.getByText('Done.').first().waitFor();
      await button('Actions').click();
      await page.getByRole('menuitem', { name: 'Allowed in this conversation' }).click();
      await picture(page, 'grants-desktop');
      await button('Take back the leave for touch made.txt').click();
      await page.getByText('Nothing is allowed in advance.').waitFor();
      await button('Close').click();
      await page.getByLabel('Message to the agent').fill('once more, please');
      await page.keyboard.press('Enter');
      await ready('approval').waitFor();
      await button('Allow once').click();
      expect(await told('again')).not.toContain('refused');
    },
    4 * MINUTES,
  );

  it(
    '[M3] a new file is shown as what it will hold',
    async () => {
      const phone = await signInAtPage(claude, browser, { viewport: 'phone' });
      try {
        const { folder } = await begin('change the greeting', 'ask', phone.page);
        await ready('approval', phone.page).waitFor();
        expect(await ready('approval', phone.page).textContent()).toContain(
          'export const greeting',
        );
        await picture(phone.page, 'approval-write-phone-light');
        await phone.page.emulateMedia({ colorScheme: 'dark' });
        await picture(phone.page, 'approval-write-phone-dark');
        expect(await axeFindings(phone.page)).toEqual([]);
        await button('Allow once', phone.page).tap();
        await settled('Allowed once', phone.page);
        expect(await told('write')).toContain('created');
        expect(existsSync(path.join(folder, 'greeting.ts'))).toBe(true);
      } finally {
        await phone.context.close();
      }
    },
    4 * MINUTES,
  );

  it(
    '[M6] is named and released on the way to autopilot, and what comes after asks no more',
    async () => {
      const { folder } = await begin('one more', 'ask');
      await ready('approval').waitFor();
      await button('Change the mode: Ask').click();
      await page.getByRole('menuitem', { name: /^Autopilot/ }).click();
      await page.getByRole('checkbox', { name: /touch more.txt/ }).check();
      await picture(page, 'release-desktop');
      await button('Change to autopilot').click();
      expect(await told('last')).not.toContain('refused');
      expect(existsSync(path.join(folder, 'last.txt'))).toBe(true);
    },
    3 * MINUTES,
  );

  it(
    '[M6] that runs already is listed beside the modes, with a way to stop it',
    async () => {
      await begin('take a while', 'autopilot');
      await button('Stop').waitFor();
      await page.getByLabel('Transcript').getByText('tail -f notes.txt').waitFor();
      await button('Change the mode: Autopilot').click();
      await page.getByRole('menu').getByText('tail -f notes.txt').waitFor();
      await picture(page, 'mode-menu-running-desktop');
      await page.getByRole('menuitem', { name: 'Stop the turn' }).click();
      await page.getByText('Stopped').first().waitFor();
    },
    3 * MINUTES,
  );
});

describe('a plan that waits for approval', () => {
  it(
    '[M4] is read to its end before any button is in reach, and approved into the mode that was picked',
    async () => {
      const phone = await signInAtPage(claude, browser, { viewport: 'phone' });
      try {
        await phone.page.setViewportSize({ width: 360, height: 740 });
        const conversation = await begin('plan the move', 'plan', phone.page);
        await ready('plan', phone.page).waitFor();
        await phone.page
          .getByRole('heading', { name: 'Move the importer' })
          .scrollIntoViewIfNeeded();
        await picture(phone.page, 'plan-phone-begin');
        const approve = button('Approve, go on asking', phone.page);
        const box = await approve.boundingBox();
        expect(box?.y).toBeGreaterThan(740);
        await approve.scrollIntoViewIfNeeded();
        await picture(phone.page, 'plan-phone-end');
        expect(await axeFindings(phone.page)).toEqual([]);
        await approve.tap();
        expect(await told('plan')).toContain('approved');
        await settled('Approved, on asking', phone.page);
        const { body: row } = await claude.device.get(`/api/conversations/${conversation.id}`);
        expect(JSON.stringify(row)).toContain('"mode":"ask"');
      } finally {
        await phone.context.close();
      }
    },
    4 * MINUTES,
  );

  it(
    '[M4] goes back with comments on a section',
    async () => {
      await begin('plan the move', 'plan');
      await ready('plan').waitFor();
      await page
        .getByRole('button', { name: 'Comment on this section: Step 2', exact: true })
        .click();
      await page
        .getByRole('textbox', { name: 'Comment on this section: Step 2', exact: true })
        .fill('Measure first.');
      await picture(page, 'plan-comment-desktop');
      await button('Send back').click();
      await settled('Sent back');
      const call = await claude.model.call((sent) =>
        (toolResult(sent, 'plan') ?? '').includes('Measure first.'),
      );
      expect(toolResult(call, 'plan')).toContain('> Step 2');
    },
    3 * MINUTES,
  );
});
