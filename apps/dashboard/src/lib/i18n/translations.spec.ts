import { describe, expect, it } from '@jest/globals';
import { en } from './en/index.js';
import { LANGUAGES, LOAD, preferredLanguage } from './languages.js';

interface Texts {
  readonly [key: string]: string | Texts;
}

const flat = (texts: Texts, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );

const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort();

const wanted = flat(en);

describe.each(LANGUAGES)('the interface in %s', (language) => {
  it('[D7] has every text, and none that English has not', async () => {
    const keys = flat(await LOAD[language]()).map(([key]) => key);
    expect(keys.sort()).toEqual(wanted.map(([key]) => key).sort());
  });

  it('[D7] fills in the same names in every text', async () => {
    const texts = new Map(flat(await LOAD[language]()));
    const differing = wanted.filter(
      ([key, text]) => placeholders(texts.get(key) ?? '').join() !== placeholders(text).join(),
    );
    expect(differing).toEqual([]);
  });

  it('[D7] leaves no text empty', async () => {
    const empty = flat(await LOAD[language]()).filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });
});

describe('the language that is shown first', () => {
  it('[D7] is the first of the browser’s that there is', () => {
    expect(preferredLanguage(['fr-FR', 'ja-JP', 'de'])).toBe('ja');
  });

  it('[D7] is English where there is none of the browser’s', () => {
    expect(preferredLanguage(['fr', 'it-IT'])).toBe('en');
  });
});
