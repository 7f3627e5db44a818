import { type Usage } from '#contracts';
import { t } from './translate.svelte.js';

/** What a turn used, as far as the provider said; nothing is guessed (D10). */
export function usageWords(usage: Usage | undefined, language: string): string[] {
  if (usage === undefined) return [];
  const words: string[] = [];
  const compact = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, costUsd } = usage;
  if (inputTokens !== undefined && outputTokens !== undefined) {
    const input = compact.format(inputTokens + cacheReadTokens + cacheWriteTokens);
    words.push(t('conversation.tokensShort', { input, output: compact.format(outputTokens) }));
  }
  if (costUsd !== undefined) {
    const digits = costUsd < 0.1 ? 4 : 2;
    words.push(
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: digits,
      }).format(costUsd),
    );
  }
  if (usage.model !== undefined) words.push(usage.model);
  return words;
}
