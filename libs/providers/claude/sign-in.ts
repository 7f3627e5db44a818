import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProviderDriver } from '#provider-kit';

const HOW =
  'Sign in once with `npx @anthropic-ai/claude-code auth login` in a terminal on this machine, or enter an API key here.';

/** A key of ours, or the client's own login. macOS keeps that in its keychain, which is not asked. */
export const signInStatus: ProviderDriver['status'] = async ({
  settings,
  environment,
  homeFolder,
}) => {
  if ((settings['apiKey'] ?? '') !== '') return { signedIn: 'yes' };
  const folder = environment['CLAUDE_CONFIG_DIR'] ?? join(homeFolder, '.claude');
  if (await exists(join(folder, '.credentials.json'))) return { signedIn: 'yes' };
  return { signedIn: process.platform === 'darwin' ? 'unknown' : 'no', advice: HOW };
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
