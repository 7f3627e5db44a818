import i18next from 'i18next';
import { en } from './en/index.js';
import { type TextKey, type Translate } from './keys.js';
import { LANGUAGES, LOAD, preferredLanguage, type Language } from './languages.js';

const CHOSEN = 'coxswain.language';
let current = $state<Language>('en');

/** How times and numbers are written: the browser's own way where it is of the language that is shown. */
export function locale(): string {
  const own = navigator.languages.find((tag) => tag.split('-')[0] === current);
  return own ?? current;
}

const texts = i18next.t.bind(i18next) as (key: string, filling?: object) => string;

/** The language that is shown. */
export function language(): Language {
  return current;
}

/** A text of the interface in the language that is shown; read in a component, it follows the language. */
export const t: Translate = (key, ...filling) => {
  void current;
  return texts(key, filling[0]);
};

/** Sentences whose pieces come along as data, from a relay or an agent's driver. */
type FilledKey = Extract<TextKey, `notes.${string}` | `notices.${string}`>;

/** {@link t} for sentences that are filled with what came along with them. */
export function tFilled(key: FilledKey, params: Readonly<Record<string, string>>): string {
  void current;
  return texts(key, params);
}

function chosen(): Language | undefined {
  try {
    const stored = localStorage.getItem(CHOSEN);
    return LANGUAGES.find((candidate) => candidate === stored);
  } catch {
    return undefined;
  }
}

/** Shows another language, and keeps the choice for this device. */
export async function changeLanguage(next: Language): Promise<void> {
  await show(next);
  try {
    localStorage.setItem(CHOSEN, next);
  } catch {
    // The choice holds until the page is closed.
  }
}

async function show(next: Language): Promise<void> {
  i18next.addResourceBundle(next, 'translation', await LOAD[next]());
  await i18next.changeLanguage(next);
  current = next;
  document.documentElement.lang = next;
}

/** Makes the words ready before anything is shown. */
export async function startTranslation(): Promise<void> {
  await i18next.init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    // Svelte escapes what it shows.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await show(chosen() ?? preferredLanguage(navigator.languages));
}
