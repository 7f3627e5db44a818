import { createHash } from 'node:crypto';

/** The same text for the same value, whatever the order of its keys: PostgreSQL's jsonb keeps none. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('base64url').slice(0, 16);
