import { RelayId, type ProviderOnRelay } from '#contracts';
import { RelayStore, type RelayRecord } from '#domain';
import type { DataSource, Repository } from 'typeorm';
import { v7 as newId } from 'uuid';
import { RelayRow } from '../rows/index.js';

/** Relays, through TypeORM. */
export class TypeOrmRelayStore extends RelayStore {
  private readonly relays: Repository<RelayRow>;

  constructor(dataSource: DataSource) {
    super();
    this.relays = dataSource.getRepository(RelayRow);
  }

  async ensure({ name, publicKey }: { name: string; publicKey: string }): Promise<RelayId> {
    await this.relays
      .createQueryBuilder()
      .insert()
      .values({ id: newId(), name, publicKey })
      .orIgnore()
      .execute();
    const relay = await this.relays.findOneByOrFail({ publicKey });
    return RelayId.parse(relay.id);
  }

  async byKey(publicKey: string): Promise<RelayRecord | undefined> {
    const row = await this.relays.findOneBy({ publicKey });
    return row === null ? undefined : recordOf(row);
  }

  async list(): Promise<readonly RelayRecord[]> {
    const rows = await this.relays.find({ order: { createdAt: 'ASC' } });
    return rows.map(recordOf);
  }

  async attached(
    id: RelayId,
    of: { name: string; version: string; providers: readonly ProviderOnRelay[] },
  ): Promise<void> {
    const { name, version, providers } = of;
    await this.relays.update(
      { id },
      { name, version, providers: [...providers], lastSeenAt: () => 'app_now()' },
    );
  }

  async seen(id: RelayId): Promise<void> {
    await this.relays.update({ id }, { lastSeenAt: () => 'app_now()' });
  }
}

function recordOf(row: RelayRow): RelayRecord {
  return {
    id: RelayId.parse(row.id),
    name: row.name,
    publicKey: row.publicKey,
    version: row.version,
    lastSeenAt: row.lastSeenAt.getTime(),
    providers: row.providers,
  };
}
