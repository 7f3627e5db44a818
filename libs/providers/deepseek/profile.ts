import { KEY_IS_OURS, type ClaudeCodeProfile } from '#claude-code';
import { DriverFailure } from '#provider-kit';

export const ADDRESS = 'https://api.deepseek.com/anthropic';
export const MODEL = 'deepseek-chat';
export const SMALL_MODEL = 'deepseek-chat';

const setting = (value: string | undefined, otherwise: string): string =>
  value === undefined || value === '' ? otherwise : value;

export const profile: ClaudeCodeProfile = {
  what: 'deepseek',
  reportsCost: false,
  environment: ({ settings }) => {
    const key = setting(settings['apiKey'], '');
    if (key === '') {
      throw new DriverFailure({
        code: 'setting-missing',
        message: 'DeepSeek has no API key.',
        advice: 'Enter one in the settings of this provider.',
      });
    }
    const model = setting(settings['model'], MODEL);
    const small = setting(settings['smallModel'], SMALL_MODEL);
    return {
      ...KEY_IS_OURS,
      ANTHROPIC_BASE_URL: setting(settings['baseUrl'], ADDRESS),
      // Not ANTHROPIC_API_KEY, which the client would send in its place, in another header.
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: small,
      CLAUDE_CODE_SUBAGENT_MODEL: small,
    };
  },
  model: (chosen) => chosen,
};
