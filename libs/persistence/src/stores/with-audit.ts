import type { AuditEntry } from '#domain';
import type { DataSource, EntityManager } from 'typeorm';
import { auditColumns } from '../writes/audit-columns.js';
import { INSERT_AUDIT } from '../writes/statements.js';

/** Does some work and writes it down, all or nothing (S4). */
export function withAudit(
  dataSource: DataSource,
  entry: AuditEntry,
  work: (manager: EntityManager) => Promise<void>,
): Promise<void> {
  return dataSource.transaction(async (manager) => {
    await work(manager);
    await writeDown(manager, entry);
  });
}

/** An entry of the audit log, in a transaction that is under way. */
export async function writeDown(manager: EntityManager, entry: AuditEntry): Promise<void> {
  await manager.query(INSERT_AUDIT, auditColumns([entry]));
}
