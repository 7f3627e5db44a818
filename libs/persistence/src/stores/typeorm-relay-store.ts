import { RelayId, type ProviderOnRelay } from '#contracts';
import { RelayStore, type AuditEntry, type RelayRecord, type TokenBook } from '#domain';
import { IsNull, type DataSource, type Repository } from 'typeorm';
import { v7 as newId } from 'uuid';
import { RelayRow } from '../rows/index.js';
import { withAudit } from './with-audit.js';

/** Relays, through TypeORM. */
export class TypeOrmRelayStore extends RelayStore {
  private readonly relays: Repository<RelayRow>;

  constructor(private readonly dataSource: DataSource) {
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
  ): Promise<number> {
    const { name, version, providers } = of;
    const { raw } = await this.relays
      .createQueryBuilder()
      .update()
      .set({ name, version, providers: [...providers], lastSeenAt: () => 'app_now()' })
      .where({ id })
      .returning('last_seen_at')
      .execute();
    const [row] = raw as { last_seen_at: Date }[];
    if (row === undefined) throw new Error('the relay has been removed');
    return new Date(row.last_seen_at).getTime();
  }

  async tokenIssued(
    id: RelayId,
    { before, after }: { readonly before: TokenBook; readonly after: TokenBook },
  ): Promise<boolean> {
    const { affected } = await this.relays.update(
      {
        id,
        tokensIssued: before.issued,
        // A person may have made it begin anew, or the relay confirmed, in between.
        tokenHash: before.current ?? IsNull(),
        nextTokenHash: before.next ?? IsNull(),
      },
      {
        tokenHash: after.current ?? null,
        nextTokenHash: after.next ?? null,
        tokensIssued: after.issued,
      },
    );
    return affected === 1;
  }

  async tokenKept(id: RelayId, hash: string): Promise<void> {
    await this.relays.update({ id, nextTokenHash: hash }, { tokenHash: hash, nextTokenHash: null });
  }

  forgetTokens(id: RelayId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      await manager.update(RelayRow, { id }, { tokenHash: null, nextTokenHash: null });
    });
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
    tokens: {
      ...(row.tokenHash === null ? {} : { current: row.tokenHash }),
      ...(row.nextTokenHash === null ? {} : { next: row.nextTokenHash }),
      issued: row.tokensIssued,
    },
  };
}
