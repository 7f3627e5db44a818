import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { Conversation, RelayMode } from '#contracts';
import { openDevice, type DevicePage } from './browser.js';
import type { ClaudeProduct } from './claude-product.js';

const PICTURES = 'test-results';

/** A new device at the page, signed in through a link as a person does it. */
export async function signInAtPage(
  claude: ClaudeProduct,
  browser: Browser,
  options: Parameters<typeof openDevice>[1] = {},
): Promise<DevicePage> {
  const opened = await openDevice(browser, options);
  await opened.page.goto(await claude.pairingLink());
  await opened.page.getByRole('button', { name: 'Sign in' }).click();
  await opened.page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return opened;
}

/** Starts a conversation over the API, in a folder of its own. */
export async function beginConversation(
  claude: ClaudeProduct,
  text: string,
  mode: RelayMode = 'autopilot',
): Promise<Conversation> {
  const answer = await claude.device.post('/api/conversations', {
    relayId: claude.relayId,
    provider: 'claude',
    folder: claude.folder(randomUUID()),
    mode,
    firstMessage: { messageId: randomUUID(), text },
  });
  return answer.body as Conversation;
}

/** Starts a conversation over the API and opens it on a page. */
export async function beginAtPage(
  claude: ClaudeProduct,
  on: Page,
  { text, mode }: { readonly text: string; readonly mode?: RelayMode },
): Promise<Conversation> {
  const conversation = await beginConversation(claude, text, mode);
  await on.goto(`${claude.product.url}/#/c/${conversation.id}`);
  // The conversation before may stand there for a moment yet, with a card of its own.
  await on.getByLabel('Transcript').getByText(text, { exact: true }).first().waitFor();
  return conversation;
}

/** Keeps how a page looks, for a person to look at. */
export async function picture(of: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await of.screenshot({ path: `${PICTURES}/${name}.png` });
}
