import { DeviceId, PersonId, type LinkAlarm } from '#contracts';
import { SignInLinkStore, type AuditEntry, type NewDevice, type SpentLink } from '#domain';
import { IsNull, Not, type DataSource, type EntityManager, type Repository } from 'typeorm';
import { DeviceRow, SignInLinkRow } from '../rows/index.js';
import { withAudit, writeDown } from './with-audit.js';

/** Alarms that are told of; more say nothing new. */
const MOST_ALARMS = 20;

type Spent = Extract<SpentLink, { kind: 'spent' }>;

/** One-time links, through TypeORM. */
export class TypeOrmSignInLinkStore extends SignInLinkStore {
  private readonly links: Repository<SignInLinkRow>;

  constructor(private readonly dataSource: DataSource) {
    super();
    this.links = dataSource.getRepository(SignInLinkRow);
  }

  async add(link: {
    secretHash: string;
    personId: PersonId;
    purpose: 'first' | 'pair';
    lives: number;
    entry: AuditEntry;
  }): Promise<void> {
    const { secretHash, personId, purpose, lives } = link;
    await withAudit(this.dataSource, link.entry, async (manager) => {
      await manager
        .createQueryBuilder()
        .insert()
        .into(SignInLinkRow)
        .values({
          secretHash,
          personId,
          purpose,
          expiresAt: () => `app_now() + :lives * interval '1 millisecond'`,
        })
        .setParameters({ lives })
        .execute();
    });
  }

  async spend(
    secretHash: string,
    device: NewDevice,
    entries: { readonly spent: (link: Spent) => AuditEntry; readonly usedAgain: AuditEntry },
  ): Promise<SpentLink> {
    const spent = await this.dataSource.transaction(async (manager) => {
      const link = await take(manager, secretHash, device.id);
      if (link === undefined) return undefined;
      await manager.insert(DeviceRow, { ...device, personId: link.personId });
      await writeDown(manager, entries.spent(link));
      return link;
    });
    return spent ?? this.whyNot(secretHash, device, entries.usedAgain);
  }

  private async whyNot(
    secretHash: string,
    { publicKey, name }: NewDevice,
    entry: AuditEntry,
  ): Promise<SpentLink> {
    const link = await this.links.findOneBy({ secretHash });
    if (link === null) return { kind: 'unknown' };
    if (link.spentAt === null || link.spentBy === null) return { kind: 'expired' };
    const spentBy = { id: link.spentBy, revokedAt: IsNull() };
    const by = await this.dataSource.getRepository(DeviceRow).findOneBy(spentBy);
    if (by?.publicKey.x === publicKey.x && by.publicKey.y === publicKey.y) {
      return { kind: 'spent-before', deviceId: DeviceId.parse(by.id) };
    }
    await withAudit(this.dataSource, entry, async (manager) => {
      const usedAgain = { usedAgainAt: () => 'app_now()', usedAgainBy: name };
      await manager.update(SignInLinkRow, { secretHash }, usedAgain);
    });
    return { kind: 'already-spent', personId: PersonId.parse(link.personId) };
  }

  async alarms(personId: PersonId): Promise<LinkAlarm[]> {
    const rows = await this.links.find({
      where: { personId, usedAgainAt: Not(IsNull()) },
      order: { usedAgainAt: 'DESC' },
      take: MOST_ALARMS,
    });
    return rows.map(({ usedAgainAt, usedAgainBy }) => ({
      at: usedAgainAt?.getTime() ?? 0,
      name: usedAgainBy ?? '',
    }));
  }

  acknowledgeAlarms(personId: PersonId, entry: AuditEntry): Promise<void> {
    return withAudit(this.dataSource, entry, async (manager) => {
      const standing = { personId, usedAgainAt: Not(IsNull()) };
      await manager.update(SignInLinkRow, standing, { usedAgainAt: null, usedAgainBy: null });
    });
  }
}

/** One statement, so that of two who try one wins. */
async function take(
  manager: EntityManager,
  secretHash: string,
  spentBy: DeviceId,
): Promise<Spent | undefined> {
  const taken = await manager
    .createQueryBuilder()
    .update(SignInLinkRow)
    .set({ spentAt: () => 'app_now()', spentBy })
    .where('secret_hash = :secretHash and spent_at is null and expires_at > app_now()', {
      secretHash,
    })
    .returning(['personId', 'purpose'])
    .execute();
  const [row] = taken.raw as { person_id: string; purpose: 'first' | 'pair' }[];
  if (row === undefined) return undefined;
  return { kind: 'spent', personId: PersonId.parse(row.person_id), purpose: row.purpose };
}
