import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Conversation } from '#contracts';
import { toolResult, type ModelCall } from '#scripted-models';
import { axeFindings, openDevice, startBrowser, type DevicePage } from '../../support/browser.js';
import { beginAtPage, picture, signInAtPage } from '../../support/claude-page.js';
import { startClaudeProduct, type ClaudeProduct } from '../../support/claude-product.js';
import { MAIN_JOB } from './main-job-scenario.js';

const MINUTES = 60_000;

let claude: ClaudeProduct;
let browser: Browser;
let device: DevicePage;
let page: Page;

const signIn = (options: Parameters<typeof signInAtPage>[2] = {}): Promise<DevicePage> =>
  signInAtPage(claude, browser, options);

const begin = (text: string, on: Page = page): Promise<Conversation> =>
  beginAtPage(claude, on, { text });

const transcript = (): Locator => page.getByLabel('Transcript');
/** The agent's reply to its answer, in which it says what it was told. */
const toldBack = (): Locator => transcript().getByText('I was told:');

/** The model's next call in which this conversation's question has a result. */
const resultOf = async (on: string): Promise<string | undefined> => {
  const asked = (call: ModelCall): string | undefined => {
    const said = JSON.stringify(call.messages);
    const id = /"id":"(toolu_[^"]+)","name":"AskUserQuestion"/.exec(said)?.[1];
    return said.includes(on) && id !== undefined ? toolResult(call, id) : undefined;
  };
  const call = await claude.model.call((candidate) => asked(candidate) !== undefined);
  return asked(call);
};

beforeAll(async () => {
  claude = await startClaudeProduct(MAIN_JOB);
  browser = await startBrowser();
  device = await signIn();
  page = device.page;
  page.setDefaultTimeout(MINUTES);
}, 10 * MINUTES);

afterAll(async () => {
  await browser?.close();
  await claude?.close();
}, 2 * MINUTES);

describe('the main job, as a person does it', () => {
  it(
    '[S1] a sign-in link signs a second browser not in',
    async () => {
      const link = await claude.pairingLink();
      const first = await openDevice(browser);
      await first.page.goto(link);
      await first.page.getByRole('button', { name: 'Sign in' }).click();
      await first.page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const second = await openDevice(browser);
      await second.page.goto(link);
      await second.page.getByRole('button', { name: 'Sign in' }).click();
      await second.page.getByText('This link is used up').waitFor();
      await first.context.close();
      await second.context.close();
    },
    2 * MINUTES,
  );

  it(
    '[D5] the form starts an agent in a folder',
    async () => {
      await page.goto(`${claude.product.url}/#/new`);
      await page.getByLabel('First message').fill('write me a poem');
      await page.getByRole('textbox', { name: 'Folder' }).fill(claude.folder('poem'));
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('heading', { name: 'A poem' }).waitFor();
      expect(page.url()).toContain('#/c/');
    },
    2 * MINUTES,
  );

  it(
    '[D3] the reply streams: its beginning shows while the model still writes',
    async () => {
      await claude.model.held('poem');
      await transcript().getByText('The coxswain calls,').waitFor();
      await picture(page, 'streaming-desktop-light');
      claude.model.release('poem');
      await transcript().getByText('The poem is done.').waitFor();
      expect(await transcript().getByText('the rowers pull.').count()).toBe(1);
    },
    2 * MINUTES,
  );

  it(
    '[C1] one tap answers, and the agent goes on with the answer',
    async () => {
      await begin('one tap');
      await page.getByRole('button', { name: /SQLite/ }).click();
      await toldBack().waitFor();
      expect(await resultOf('one tap')).toContain(
        'Your questions have been answered: "Which database should the new service use?"="SQLite".',
      );
    },
    2 * MINUTES,
  );

  it(
    '[C13] the answered card stays in the transcript as a line with question, answer and device',
    async () => {
      const line = page.getByTestId('settled-card');
      expect(await line.innerText()).toMatch(/Which database[\s\S]*SQLite[\s\S]*Chrome/);
    },
    MINUTES,
  );

  it(
    '[C2] the first tick sends nothing; ticks and typed text go together',
    async () => {
      const conversation = await begin('several answers');
      await page.getByRole('checkbox', { name: /Load test/ }).click();
      const inbox = await claude.device.get('/api/inbox');
      expect(JSON.stringify(inbox.body)).toContain(conversation.id);
      await page.getByRole('checkbox', { name: /Unit tests/ }).click();
      await page.getByLabel('Answer in your own words').fill('and a smoke test');
      await page.getByRole('button', { name: 'Reply with selection' }).click();
      await toldBack().waitFor();
      const told = await resultOf('several answers');
      expect(told).toMatch(/"Unit tests, Load test"[\s\S]*and a smoke test/);
    },
    2 * MINUTES,
  );

  it(
    '[C6] three questions come one after another, and an answer can be changed on the way',
    async () => {
      await begin('three in a row');
      await page.getByRole('button', { name: /Teal/ }).click();
      await page.getByText('What should the module be called?').first().waitFor();
      await page.getByRole('button', { name: 'Question 1 of 3' }).click();
      await page.getByRole('button', { name: /Grey/ }).click();
      await page.getByRole('button', { name: /invoices/ }).click();
      await page.getByRole('button', { name: /MIT/ }).click();
      await toldBack().waitFor();
      expect(await resultOf('three in a row')).toContain(
        '"Which colour should the button have?"="Grey", "What should the module be called?"="invoices", "Which licence?"="MIT"',
      );
    },
    2 * MINUTES,
  );
});

describe('two devices, reloads and a hub that dies', () => {
  let phone: DevicePage;
  beforeAll(async () => {
    phone = await signIn({ viewport: 'phone', theme: 'dark' });
    phone.page.setDefaultTimeout(MINUTES);
  }, 2 * MINUTES);

  it(
    '[D6] what is answered on one device folds on the other',
    async () => {
      const conversation = await begin('one tap: on two devices');
      await phone.page.goto(`${claude.product.url}/#/c/${conversation.id}`);
      await page.getByRole('button', { name: /SQLite/ }).waitFor();
      await phone.page.getByRole('button', { name: /Keep the current one/ }).click();
      await page.getByTestId('settled-card').waitFor();
      expect(await page.getByTestId('settled-card').innerText()).toContain('Keep the current one');
    },
    2 * MINUTES,
  );

  it(
    '[D6] a reload in the middle keeps the card and what was typed into it',
    async () => {
      await begin('keep waiting: over a reload');
      await page.getByLabel('Answer in your own words').fill('half a thou');
      await page.reload();
      const field = page.getByLabel('Answer in your own words');
      await field.waitFor();
      expect(await field.inputValue()).toBe('half a thou');
      await field.fill('half a thought');
      await page.getByRole('button', { name: 'Reply' }).click();
      await toldBack().waitFor();
      expect(await resultOf('over a reload')).toContain('half a thought');
    },
    2 * MINUTES,
  );

  it(
    '[C11] a hub killed while a card is open comes back by itself, and the answer given after it arrives',
    async () => {
      await begin('keep waiting: over a dead hub');
      await page.getByRole('button', { name: /PostgreSQL/ }).waitFor();
      process.kill(claude.product.pidOf('hub'), 'SIGKILL');
      await page.getByRole('button', { name: /PostgreSQL/ }).click();
      await toldBack().waitFor();
      expect(await resultOf('over a dead hub')).toContain('PostgreSQL (Recommended)');
    },
    3 * MINUTES,
  );

  it('[S5] no page broke its own security policy or threw', () => {
    const ours = [...device.complaints, ...phone.complaints].filter(
      (line) => !line.includes('net::ERR') && !line.includes('WebSocket'),
    );
    expect(ours).toEqual([]);
  });
});

describe('looked at in light and dark, on a phone and a desktop', () => {
  const LOOKS = [
    { viewport: 'desktop', theme: 'light' },
    { viewport: 'desktop', theme: 'dark' },
    { viewport: 'phone', theme: 'light' },
    { viewport: 'phone', theme: 'dark' },
  ] as const;

  it.each(LOOKS)(
    '[D7] axe finds nothing against WCAG 2.2 AA on $viewport in $theme',
    async ({ viewport, theme }) => {
      const look = await signIn({ viewport, theme });
      const conversation = await begin(`keep waiting: ${viewport} ${theme}`, look.page);
      await look.page.getByRole('button', { name: /SQLite/ }).waitFor();
      const findings: string[] = [];
      for (const [name, fragment] of Object.entries({
        conversation: `c/${conversation.id}`,
        inbox: 'inbox',
        board: 'board',
        new: 'new',
        devices: 'settings/devices',
        providers: 'settings/providers',
      })) {
        await look.page.goto(`${claude.product.url}/#/${fragment}`);
        await look.page.getByRole('main').waitFor();
        await picture(look.page, `${name}-${viewport}-${theme}`);
        findings.push(...(await axeFindings(look.page)).map((finding) => `${name}: ${finding}`));
      }
      await look.context.close();
      expect(findings).toEqual([]);
    },
    5 * MINUTES,
  );
});
