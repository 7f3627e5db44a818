/**
 * Where a value holds text that PostgreSQL refuses (U+0000, half of a surrogate pair), as a path such as
 * `effect.events.0.text`; undefined where it holds none. One such row would fail the whole flush.
 */
export function findUnstorable(value: unknown, at = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : at;
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return at;
    const found = findUnstorable(inner, at === '' ? key : `${at}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** How many characters of text a value holds, which is about what it weighs in a statement. */
export function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + textLength(inner), 0);
}
