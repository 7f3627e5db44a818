import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from '../../support/browser.js';
import { picture } from '../../support/claude-page.js';
import {
  approvalOf,
  DANGEROUS,
  EDIT,
  FOLDER,
  GatedPage,
  LONG_PLAN,
  NPM_TEST,
  planOf,
  readyCard,
} from '../../support/gated-page.js';

const MINUTES = 60_000;

let gated: GatedPage;
let page: Page;

beforeAll(async () => {
  gated = await GatedPage.start();
  page = await gated.signIn();
}, 3 * MINUTES);

afterAll(() => gated?.close(), MINUTES);

describe('an approval on the page', () => {
  it(
    '[M3] shows the command with its risks and offers no grant where none may be given',
    async () => {
      await gated.asking(page, approvalOf(DANGEROUS));
      const card = await readyCard(page, 'approval');
      expect(await card.getByRole('button', { name: 'Allow in this conversation' }).count()).toBe(
        0,
      );
      expect(await card.getByRole('listitem').allTextContents()).toEqual([
        'may delete',
        'network',
        'outside its folder',
        'more rights',
        'decides parts only when it runs',
      ]);
    },
    MINUTES,
  );

  it(
    '[C14] names a letter that passes for another',
    async () => {
      const subject = page.getByTestId('action-subject');
      expect(await subject.textContent()).toContain('g\u043E⟦U+043E⟧ogle.com');
    },
    MINUTES,
  );

  it(
    '[M3] Enter allows nothing, and nothing has the focus by itself',
    async () => {
      const focused = await page.evaluate<string>('document.activeElement?.tagName');
      await page.keyboard.press('Enter');
      await page.keyboard.press('1');
      expect(focused).not.toBe('BUTTON');
      expect(await page.getByTestId('approval-card').getAttribute('aria-busy')).toBe('false');
    },
    MINUTES,
  );

  it(
    '[C16] can’t be skipped',
    async () => {
      const card = page.getByTestId('approval-card');
      expect(await card.getByRole('button', { name: /skip/i }).count()).toBe(0);
    },
    MINUTES,
  );

  it(
    '[M3] is denied with a word by the keyboard alone, and its line says so',
    async () => {
      const card = page.getByTestId('approval-card');
      await card.getByLabel('A word to the agent').focus();
      await page.keyboard.type('not on this machine');
      await card.getByRole('button', { name: 'Deny' }).focus();
      await page.keyboard.press('Enter');
      await page.getByTestId('settled-card').getByText('Denied: not on this machine').waitFor();
    },
    MINUTES,
  );

  it(
    '[M3] leave for the conversation is said in words before, is listed after, and can be taken back',
    async () => {
      await gated.asking(page, approvalOf(NPM_TEST));
      const card = await readyCard(page, 'approval');
      await card
        .getByText(`in this conversation and in ${FOLDER}, until you take it back: npm test`)
        .waitFor();
      await card.getByRole('button', { name: 'Allow in this conversation' }).click();
      await page.getByTestId('settled-card').getByText('Allowed in this conversation').waitFor();
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name: 'Allowed in this conversation' }).click();
      await page.getByRole('button', { name: 'Take back the leave for npm test' }).click();
      await page.getByText('Nothing is allowed in advance.').waitFor();
    },
    MINUTES,
  );

  it(
    '[M6] on the way to autopilot each waiting action is named whole, and only the ticked ones are released',
    async () => {
      const conversation = await gated.asking(page, approvalOf(NPM_TEST), approvalOf(DANGEROUS));
      await readyCard(page, 'approval');
      await page.getByRole('button', { name: /^Change the mode/ }).click();
      await page.getByRole('menuitem', { name: /Autopilot/ }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByTestId('action-subject').count()).toBe(2);
      expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
      await picture(page, 'release-dialog-desktop');
      await dialog
        .getByRole('listitem')
        .filter({ hasText: 'npm test' })
        .getByRole('checkbox')
        .check();
      await dialog.getByRole('button', { name: 'Change to autopilot' }).click();
      await page.getByTestId('settled-card').waitFor();
      expect(await gated.told(conversation)).toEqual([{ kind: 'allow', scope: 'once' }]);
      await readyCard(page, 'approval');
    },
    MINUTES,
  );

  it(
    '[M7] a mode that the provider has no gate for is shown with the reason and can’t be chosen',
    async () => {
      await page.getByRole('button', { name: /^Change the mode/ }).click();
      const plan = page.getByRole('menuitem', { name: /Plan/ });
      expect(await plan.getAttribute('aria-disabled')).toBe('true');
      await plan.getByText('It has no gate for planning yet.').waitFor();
      await page.keyboard.press('Escape');
    },
    MINUTES,
  );
});

describe('a plan on the page', () => {
  it(
    '[M4] of 400 lines is read to its end on a small phone before any button is in reach',
    async () => {
      const phone = await gated.signIn({ viewport: 'phone' });
      await phone.setViewportSize({ width: 360, height: 740 });
      await gated.asking(phone, planOf(LONG_PLAN));
      const card = await readyCard(phone, 'plan');
      const end = await card.getByText('The end of the plan.').boundingBox();
      const tops = await Promise.all(
        ['Approve, go on asking', 'Approve, go on in autopilot', 'Approve only', 'Send back'].map(
          async (name) => (await card.getByRole('button', { name }).boundingBox())?.y ?? 0,
        ),
      );
      expect(Math.min(...tops)).toBeGreaterThan((end?.y ?? Infinity) + (end?.height ?? 0) - 1);
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(360);
      await phone.context().close();
    },
    MINUTES,
  );

  it(
    '[M4] is sent back with the sections that were commented on quoted',
    async () => {
      const conversation = await gated.asking(
        page,
        planOf('# Move\n\nIntro.\n\n## Step one\n\nDump.\n\n## Step two\n\nLoad.'),
      );
      const card = await readyCard(page, 'plan');
      await card.getByRole('button', { name: 'Comment on this section: Step two' }).click();
      await card
        .getByRole('textbox', { name: 'Comment on this section: Step two' })
        .fill('First a backup.');
      await card.getByRole('button', { name: 'Send back' }).click();
      await page.getByTestId('settled-card').waitFor();
      expect(await gated.told(conversation)).toEqual([
        { kind: 'send-back', comments: '> Step two\n\nFirst a backup.' },
      ]);
    },
    MINUTES,
  );

  it(
    '[M4] that the person emptied can’t be approved as if it were the agent’s own',
    async () => {
      const conversation = await gated.asking(page, planOf('# Move\n\nIntro.'));
      const card = await readyCard(page, 'plan');
      await card.getByRole('button', { name: 'Edit the plan' }).click();
      const editor = card.getByRole('textbox', { name: 'Edit the plan' });
      await editor.fill(' ');
      expect(await card.getByRole('button', { name: 'Approve, go on asking' }).isDisabled()).toBe(
        true,
      );
      await editor.fill('# Move\n\nMine.');
      await card.getByRole('button', { name: 'Approve, go on asking' }).click();
      await page.getByTestId('settled-card').waitFor();
      expect(await gated.told(conversation)).toEqual([
        { kind: 'approve-plan', then: 'ask', edited: '# Move\n\nMine.' },
      ]);
    },
    MINUTES,
  );
});

describe('how they look', () => {
  it.each([
    ['phone', 'light'],
    ['phone', 'dark'],
    ['desktop', 'light'],
    ['desktop', 'dark'],
  ] as const)(
    '[M3] axe finds nothing to complain of on a %s in %s',
    async (viewport, theme) => {
      const on = await gated.signIn({ viewport, theme });
      const findings: string[] = [];
      const cards = { dangerous: DANGEROUS, grantable: NPM_TEST, edit: EDIT };
      for (const [name, action] of Object.entries(cards)) {
        await gated.asking(on, approvalOf(action));
        await readyCard(on, 'approval');
        findings.push(...(await axeFindings(on)));
        await picture(on, `approval-${name}-${viewport}-${theme}`);
      }
      await gated.asking(on, planOf(LONG_PLAN.slice(0, 400)));
      const card = await readyCard(on, 'plan');
      findings.push(...(await axeFindings(on)));
      await picture(on, `plan-${viewport}-${theme}`);
      await card.getByRole('button', { name: 'Send back' }).scrollIntoViewIfNeeded();
      await picture(on, `plan-end-${viewport}-${theme}`);
      await on.context().close();
      expect(findings).toEqual([]);
    },
    2 * MINUTES,
  );
});
