import { type Usage } from '#contracts';
import { type Translate } from '../i18n/keys.js';

/**
 * What a turn used, as far as the provider said; nothing is guessed (D10). A nought tells nothing, and stands for
 * "not counted" where a turn broke off.
 * @param priced false where no money is paid for the model, such as in the demo
 */
export function usageWords(
  t: Translate,
  usage: Usage | undefined,
  { language, priced }: { readonly language: string; readonly priced: boolean },
): string[] {
  if (usage === undefined) return [];
  const words: string[] = [];
  const compact = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, costUsd } = usage;
  if (inputTokens && outputTokens) {
    const input = compact.format(inputTokens + cacheReadTokens + cacheWriteTokens);
    words.push(t('conversation.tokensShort', { input, output: compact.format(outputTokens) }));
  }
  if (costUsd && priced) {
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
