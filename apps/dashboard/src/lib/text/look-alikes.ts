import { showUnseen } from './visible.js';

/** Letters of other scripts that look like one of the Latin letters, and those that only stand for them wider. */
const LOOK_ALIKE_LETTERS =
  'АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ' + 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονι' + 'ⅰⅴⅹⅼⅽⅾⅿ' + 'օսգհո' + 'ɑɡıɩ';
const WIDE_FORMS = '\uFF01-\uFF5E';
/** Spaces, hyphens, slashes, dots, quotes and colons that are not the ones that a shell or an address knows. */
const LOOK_ALIKE_SIGNS =
  '\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000' +
  '\u2010-\u2013\u2212\u2044\u2215\u29F8\u2024\u201A\u037E\uA789\u2236\u02D0';

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const LETTER = /\p{L}/gu;
const LATIN = /\p{Script=Latin}/u;
const LETTERS = new RegExp(`[${LOOK_ALIKE_LETTERS}]`, 'gu');
const ALWAYS = new RegExp(`[${WIDE_FORMS}${LOOK_ALIKE_SIGNS}]`, 'gu');

const named = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `${character.trim()}⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
};

/** A word passes for a Latin one where each of its letters is Latin or looks it; else it is plainly another script's. */
function namedIn(word: string): string {
  const letters = word.match(LETTER) ?? [];
  const others = letters.filter((letter) => !LATIN.test(letter));
  const passes =
    others.length < letters.length || others.every((letter) => LOOK_ALIKE_LETTERS.includes(letter));
  return passes ? word.replace(LETTERS, named) : word;
}

/**
 * Names invisible characters, as everywhere, and beside each that passes for another also its number: `о⟦U+043E⟧`
 * (C14). For what a person approves, where `gооgle.com` must not look like another's address. Words that are plainly
 * of another script stay as they are.
 */
export function showLookAlikes(text: string): string {
  // First those that pass for others: the names that follow hold Latin letters and signs only.
  return showUnseen(text.replace(WORD, namedIn).replace(ALWAYS, named));
}
