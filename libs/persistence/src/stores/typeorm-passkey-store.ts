import { PasskeyId, type PasskeyRequirement, type PersonId } from '#contracts';
import { PasskeyStore, type AuditEntry, type NewPasskey, type PasskeyRecord } from '#domain';
import { IsNull, type DataSource, type Repository } from 'typeorm';
import { PasskeyRequirementRow, PasskeyRow } from '../rows/index.js';
import { withAudit, writeDown } from './with-audit.js';

/** Passkeys, through TypeORM. */
export class TypeOrmPasskeyStore extends PasskeyStore {
  private readonly passkeys: Repository<PasskeyRow>;
  private readonly requirements: Repository<PasskeyRequirementRow>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.passkeys = dataSource.getRepository(PasskeyRow);
    this.requirements = dataSource.getRepository(PasskeyRequirementRow);
  }

  async list(personId: PersonId): Promise<readonly PasskeyRecord[]> {
    const standing = { personId, removedAt: IsNull() };
    const rows = await this.passkeys.find({ where: standing, order: { createdAt: 'ASC' } });
    return rows.map(recordOf);
  }

  async requirement(personId: PersonId): Promise<PasskeyRequirement> {
    return (await this.requirements.findOneBy({ personId }))?.requirement ?? 'off';
  }

  add(personId: PersonId, passkey: NewPasskey, entry: AuditEntry): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const added = await manager
        .createQueryBuilder()
        .insert()
        .into(PasskeyRow)
        .values({ ...passkey, personId, transports: [...passkey.transports] })
        .orIgnore()
        .returning('id')
        .execute();
      const isNew = (added.raw as unknown[]).length > 0;
      if (isNew) await writeDown(manager, entry);
      return isNew;
    });
  }

  /** One statement, so that of two copies that come at once with the same count one is found out. */
  async used(id: PasskeyId, counter: number): Promise<boolean> {
    const noted = await this.passkeys
      .createQueryBuilder()
      .update()
      .set({ counter, lastUsedAt: () => 'app_now()' })
      .where('id = :id and removed_at is null and suspended_at is null', { id })
      .andWhere('(counter < :counter or (counter = 0 and :counter = 0))', { counter })
      .execute();
    return noted.affected === 1;
  }

  suspend(id: PasskeyId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      const standing = { id, suspendedAt: IsNull() };
      await manager.update(PasskeyRow, standing, { suspendedAt: () => 'app_now()' });
    });
  }

  remove(id: PasskeyId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      const standing = { id, removedAt: IsNull() };
      await manager.update(PasskeyRow, standing, { removedAt: () => 'app_now()' });
    });
  }

  require(personId: PersonId, requirement: PasskeyRequirement, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      await manager.upsert(PasskeyRequirementRow, { personId, requirement }, ['personId']);
    });
  }

  forget(personId: PersonId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      const standing = { personId, removedAt: IsNull() };
      await manager.update(PasskeyRow, standing, { removedAt: () => 'app_now()' });
      await manager.upsert(PasskeyRequirementRow, { personId, requirement: 'off' }, ['personId']);
    });
  }
}

function recordOf(row: PasskeyRow): PasskeyRecord {
  const { name, rpId, credentialId, publicKey, transports, synced } = row;
  return {
    ...{ name, rpId, credentialId, publicKey, transports, synced },
    id: PasskeyId.parse(row.id),
    counter: Number(row.counter),
    createdAt: row.createdAt.getTime(),
    ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt.getTime() }),
    ...(row.suspendedAt === null ? {} : { suspendedAt: row.suspendedAt.getTime() }),
  };
}
