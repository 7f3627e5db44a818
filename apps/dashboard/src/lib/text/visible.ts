/** A run of characters, by the first and the last of their numbers. */
type Run = readonly [from: number, to: number];

/**
 * Characters that show nothing, or turn the direction of what follows: controls, soft hyphen, joiners, marks and
 * overrides of direction, fillers, tags, and selectors of variants beyond the common ones.
 */
const UNSEEN_RUNS: readonly Run[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];
const ESCAPED = UNSEEN_RUNS.map(
  ([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`,
).join('');
const ANY_UNSEEN = new RegExp(`[${ESCAPED}]`, 'u');
const UNSEEN = new RegExp(ANY_UNSEEN, 'gu');

/** Places in which an invisible character does what it is for: joined emoji, joined letters, three flags. */
const JOINED_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
const JOINED_LETTERS =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Tamil}\p{Script=Sinhala}])[\u200C\u200D](?=[\p{L}\p{M}])/gu;
const tagged = (letters: string): string =>
  [...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(tagged).join('|');
const REGIONAL_FLAG = new RegExp(`(?<=\u{1F3F4})(?:${FLAGS})\u{E007F}`, 'gu');

/** Stands in a text for what is in its right place, while the rest is looked through. */
const ASIDE = ['\uE000', '\uE001'] as const;

const nameOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`;
};

/**
 * Makes invisible and bidirectional characters visible as `⟦U+202E⟧` (C14): an agent's text can't hide a word in
 * them, nor turn the reading of what stands beside it.
 */
export function showUnseen(text: string): string {
  if (!ANY_UNSEEN.test(text)) return text;
  const kept: string[] = [];
  const aside = (piece: string): string => ASIDE[0] + String(kept.push(piece) - 1) + ASIDE[1];
  const marked = [REGIONAL_FLAG, JOINED_EMOJI, JOINED_LETTERS].reduce(
    (so, pattern) => so.replace(pattern, aside),
    text.replace(/[\uE000\uE001]/g, nameOf),
  );
  return marked
    .replace(UNSEEN, nameOf)
    .replace(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '');
}
