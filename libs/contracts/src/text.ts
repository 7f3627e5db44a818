import { z } from 'zod';

/** Shown in place of U+0000, which PostgreSQL refuses to store. */
const VISIBLE_NUL = '\u2400';

/**
 * Makes text storable without hiding what was in it: NUL becomes `␀`, a lone surrogate becomes `�`.
 * PostgreSQL's `text` and `jsonb` refuse both (measured), so this is done where text enters.
 */
export function makeVisible(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', VISIBLE_NUL) : wellFormed;
}

/** {@link makeVisible} for every string inside a JSON value, keys included. */
export function makeJsonVisible(value: Json): Json {
  if (typeof value === 'string') return makeVisible(value);
  if (Array.isArray(value)) return value.map(makeJsonVisible);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [makeVisible(key), makeJsonVisible(inner)]),
  );
}

/** Cuts text to a length without splitting a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Text that can be stored as it is; anything else is refused with the reason. */
export function storableText(max: number, min = 0): z.ZodString {
  return z
    .string()
    .min(min, min === 1 ? 'must not be empty' : `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain the character U+0000')
    .refine((text) => text.isWellFormed(), 'must not contain half of a surrogate pair');
}

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export const Json: z.ZodType<Json> = z.json() as z.ZodType<Json>;
