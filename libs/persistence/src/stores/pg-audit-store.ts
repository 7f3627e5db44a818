import { AuditStore, type AuditEntry } from '#domain';
import type pg from 'pg';
import { auditColumns } from '../writes/audit-columns.js';
import { INSERT_AUDIT } from '../writes/statements.js';

/** The audit log outside of a conversation's writes (which store their entries in their own transaction). */
export class PgAuditStore extends AuditStore {
  constructor(private readonly pool: pg.Pool) {
    super();
  }

  async add(entry: AuditEntry): Promise<void> {
    await this.pool.query(INSERT_AUDIT, auditColumns([entry]));
  }
}
