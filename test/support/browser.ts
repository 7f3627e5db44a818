import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = require.resolve('axe-core/axe.min.js');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Widths that every page is looked at in: a phone and a desktop. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
} as const;

export async function startBrowser(): Promise<Browser> {
  const executablePath = CHROMIUM.find(existsSync);
  if (executablePath === undefined) {
    throw new Error('Chromium is missing. Install it: apt-get install chromium');
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface DevicePage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the page complained about: errors of its own, and whatever its security policy stopped. */
  readonly complaints: readonly string[];
}

/** A device of its own: a fresh browser profile with one page. */
export async function openDevice(
  browser: Browser,
  options: {
    viewport?: keyof typeof VIEWPORTS;
    theme?: 'light' | 'dark';
    /** Takes a certificate whose authority the browser does not know. */
    takesAnyCertificate?: boolean;
  } = {},
): Promise<DevicePage> {
  const viewport = options.viewport ?? 'desktop';
  const context = await browser.newContext({
    viewport: VIEWPORTS[viewport],
    colorScheme: options.theme ?? 'light',
    hasTouch: viewport === 'phone',
    isMobile: viewport === 'phone',
    locale: 'en-GB',
    ignoreHTTPSErrors: options.takesAnyCertificate ?? false,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { context, page, complaints };
}

/** What axe finds against WCAG 2.2 AA on the page as it stands; one line a finding. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Added through the debugger, which the page's security policy does not stop.
  await page.evaluate(await axeSource());
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: AxeInPage }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const { violations } = await axe.run({ runOnly: { type: 'tag', values: tags } });
    return violations.map(
      (found) => `${found.id}: ${found.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  });
}

interface AxeInPage {
  run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

let source: string | undefined;
async function axeSource(): Promise<string> {
  source ??= await readFile(AXE, 'utf8');
  return source;
}
