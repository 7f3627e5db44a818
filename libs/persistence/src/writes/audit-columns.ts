import type { AuditEntry } from '#domain';

/** Entries of the audit log as the columns that {@link INSERT_AUDIT} takes. */
export function auditColumns(entries: readonly AuditEntry[]): unknown[] {
  return [
    entries.map(({ by }) => JSON.stringify(by)),
    entries.map(({ action }) => action),
    entries.map(({ conversationId }) => conversationId ?? null),
    entries.map(({ cardId }) => cardId ?? null),
    entries.map(({ body }) => JSON.stringify(body)),
    entries.map(({ signature }) => signature ?? null),
  ];
}
