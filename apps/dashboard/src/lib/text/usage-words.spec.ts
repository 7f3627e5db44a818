import { describe, expect, it } from '@jest/globals';
import { type Translate } from '../i18n/keys.js';
import { usageWords } from './usage-words.js';

const t = ((_key: string, { input, output }: { input: string; output: string }) =>
  `${input} in · ${output} out`) as Translate;
const words = (usage: Parameters<typeof usageWords>[1], priced = true): string[] =>
  usageWords(t, usage, { language: 'en', priced });

describe('what a turn used', () => {
  it('[D10] is told as the provider reported it', () => {
    expect(words({ inputTokens: 900, outputTokens: 40, costUsd: 0.0123, model: 'm' })).toEqual([
      '900 in · 40 out',
      '$0.0123',
      'm',
    ]);
  });

  it('[D10] leaves out what was not counted, which stands there as a nought', () => {
    expect(words({ inputTokens: 0, outputTokens: 0, costUsd: 0.0046 })).toEqual(['$0.0046']);
    expect(words({ inputTokens: 0, outputTokens: 0, costUsd: 0 })).toEqual([]);
  });

  it('[D10] tells no price where nothing is paid', () => {
    expect(words({ inputTokens: 900, outputTokens: 40, costUsd: 0.01 }, false)).toEqual([
      '900 in · 40 out',
    ]);
  });
});
