// The browser of the browser tests: Debian's Chromium.
import { existsSync, readFileSync } from 'node:fs';
import { runProgram } from './run-program.mjs';
import { PlainError, step } from './terminal.mjs';

/** Where test/support/browser.ts looks for it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const UPDATE = ['apt-get', 'update', '-q'];
const INSTALL = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium'];

const isDebian = () => {
  const release = '/etc/os-release';
  return existsSync(release) && /^ID(?:_LIKE)?=.*\bdebian\b/m.test(readFileSync(release, 'utf8'));
};

const howToInstall = () => {
  if (isDebian()) return `sudo sh -c '${UPDATE.join(' ')} && ${INSTALL.join(' ')}'`;
  return `install Chromium or Google Chrome so that one of these exists: ${PLACES.join(', ')}`;
};

/** Installs Chromium where it is missing and that can be done; otherwise says exactly what to run. */
export const ensureChromium = async () => {
  if (PLACES.some(existsSync)) return;
  if (!isDebian() || process.getuid?.() !== 0) {
    throw new PlainError(
      `The browser tests need Chromium, and it is missing. Run this, then again npm test:\n\n  ${howToInstall()}\n`,
    );
  }
  const failure = `Chromium could not be installed. Try it by hand: ${howToInstall()}`;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await step('Installing Chromium', async (say) => {
    await runProgram(UPDATE, { failure, env, onLine: (line) => say(line.slice(0, 60)) });
    await runProgram(INSTALL, { failure, env, onLine: (line) => say(line.slice(0, 60)) });
  });
};
