import { createHash } from 'node:crypto';

/** The questions in their one form as a text of fixed length, which an index can hold (C12). */
export function canonicalHash(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex');
}
