import { KEY_IS_OURS, type ClaudeCodeProfile } from '#claude-code';
import { DriverFailure } from '#provider-kit';

/** Given or left empty in the page; both mean the same. */
const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value);

export const profile: ClaudeCodeProfile = {
  what: 'claude',
  reportsCost: true,
  environment: ({ settings }) => {
    const key = given(settings['apiKey']);
    const address = given(settings['baseUrl']);
    if (key === undefined && address !== undefined) {
      throw new DriverFailure({
        code: 'setting-missing',
        message:
          'Claude has an API address but no API key; the login of this machine is not sent to another address.',
        advice: 'Enter the API key of that gateway, or remove the address.',
      });
    }
    if (key === undefined) return {};
    return {
      ...KEY_IS_OURS,
      ANTHROPIC_API_KEY: key,
      ...(address !== undefined && { ANTHROPIC_BASE_URL: address }),
    };
  },
  // The client takes its own default when none is named.
  model: (chosen) => (chosen === 'default' ? undefined : chosen),
};
