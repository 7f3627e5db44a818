import { ClaudeCodeRuntime, CLAUDE_CODE } from '#claude-code';
import type { ProviderDriver } from '#provider-kit';
import { descriptor } from './descriptor.js';
import { profile } from './profile.js';
import { signInStatus } from './sign-in.js';

/** Claude: Claude Code under the person's own login, or with an API key. */
export const claude: ProviderDriver = {
  descriptor,
  client: CLAUDE_CODE,
  open: (host) => ClaudeCodeRuntime.open(host, profile),
  status: signInStatus,
};
