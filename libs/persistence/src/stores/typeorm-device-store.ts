import { DeviceId, PersonId } from '#contracts';
import { DeviceStore, type AuditEntry, type DeviceRecord } from '#domain';
import { IsNull, type DataSource, type Repository } from 'typeorm';
import { v7 as newId } from 'uuid';
import { DeviceRow, PersonRow } from '../rows/index.js';
import { withAudit } from './with-audit.js';

/** Devices and their person, through TypeORM. */
export class TypeOrmDeviceStore extends DeviceStore {
  private readonly devices: Repository<DeviceRow>;
  private readonly people: Repository<PersonRow>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.devices = dataSource.getRepository(DeviceRow);
    this.people = dataSource.getRepository(PersonRow);
  }

  async owner(): Promise<PersonId> {
    // Of two first calls, one makes the owner; the unique column refuses a second.
    await this.people
      .createQueryBuilder()
      .insert()
      .values({ id: newId(), isOwner: true })
      .orIgnore()
      .execute();
    const owner = await this.people.findOneByOrFail({ isOwner: true });
    return PersonId.parse(owner.id);
  }

  async byId(id: DeviceId): Promise<DeviceRecord | undefined> {
    const row = await this.devices.findOneBy({ id });
    return row === null ? undefined : recordOf(row);
  }

  async list(personId: PersonId): Promise<readonly DeviceRecord[]> {
    const rows = await this.devices.find({ where: { personId }, order: { createdAt: 'ASC' } });
    return rows.map(recordOf);
  }

  count(): Promise<number> {
    return this.devices.countBy({ revokedAt: IsNull() });
  }

  async seen(id: DeviceId): Promise<void> {
    await this.devices.update({ id }, { lastSeenAt: () => 'app_now()' });
  }

  rename(id: DeviceId, name: string, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      await manager.update(DeviceRow, { id }, { name });
    });
  }

  revoke(id: DeviceId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      const standing = { id, revokedAt: IsNull() };
      await manager.update(DeviceRow, standing, { revokedAt: () => 'app_now()' });
    });
  }
}

function recordOf(row: DeviceRow): DeviceRecord {
  const record: DeviceRecord = {
    id: DeviceId.parse(row.id),
    personId: PersonId.parse(row.personId),
    name: row.name,
    publicKey: row.publicKey,
    createdAt: row.createdAt.getTime(),
    lastSeenAt: row.lastSeenAt.getTime(),
  };
  return row.revokedAt === null ? record : { ...record, revokedAt: row.revokedAt.getTime() };
}
