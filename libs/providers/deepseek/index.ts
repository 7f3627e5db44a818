import { ClaudeCodeRuntime, CLAUDE_CODE } from '#claude-code';
import type { ProviderDriver } from '#provider-kit';
import { descriptor } from './descriptor.js';
import { profile } from './profile.js';

/** DeepSeek: its own models in Claude Code, led there by variables. */
export const deepseek: ProviderDriver = {
  descriptor,
  client: CLAUDE_CODE,
  open: (host) => ClaudeCodeRuntime.open(host, profile),
  status: ({ settings }) =>
    Promise.resolve(
      (settings['apiKey'] ?? '') === ''
        ? { signedIn: 'no', advice: 'Enter an API key of DeepSeek’s here.' }
        : { signedIn: 'yes' },
    ),
};
