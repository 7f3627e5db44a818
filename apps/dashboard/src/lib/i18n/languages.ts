import { en, type Translation } from './en/index.js';

export const LANGUAGES = ['en', 'es', 'ja', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language in its own words. */
export const LANGUAGE_NAMES: { readonly [L in Language]: string } = {
  en: 'English',
  es: 'Español',
  ja: '日本語',
  de: 'Deutsch',
};

/** Loads a language's words; only the one that is shown is fetched. */
export const LOAD: { readonly [L in Language]: () => Promise<Translation> } = {
  en: () => Promise.resolve(en),
  es: async () => (await import('./es/index.js')).es,
  ja: async () => (await import('./ja/index.js')).ja,
  de: async () => (await import('./de/index.js')).de,
};

/** The first language of the browser's that we have; English otherwise. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split('-')[0];
    const found = LANGUAGES.find((language) => language === primary);
    if (found !== undefined) return found;
  }
  return 'en';
}
