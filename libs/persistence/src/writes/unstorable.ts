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
