import { PersonId, type DeviceId } from '#contracts';
import { SignInLinkStore, type SpentLink } from '#domain';
import type { DataSource, Repository } from 'typeorm';
import { SignInLinkRow } from '../rows/index.js';

/** One-time links, through TypeORM. */
export class TypeOrmSignInLinkStore extends SignInLinkStore {
  private readonly links: Repository<SignInLinkRow>;

  constructor(dataSource: DataSource) {
    super();
    this.links = dataSource.getRepository(SignInLinkRow);
  }

  async add(link: {
    secretHash: string;
    personId: PersonId;
    purpose: 'first' | 'pair';
    lives: number;
  }): Promise<void> {
    const { secretHash, personId, purpose, lives } = link;
    await this.links
      .createQueryBuilder()
      .insert()
      .values({
        secretHash,
        personId,
        purpose,
        expiresAt: () => `app_now() + :lives * interval '1 millisecond'`,
      })
      .setParameters({ lives })
      .execute();
  }

  async spend(secretHash: string, deviceId: DeviceId): Promise<SpentLink> {
    const spent = await this.links
      .createQueryBuilder()
      .update()
      .set({ spentAt: () => 'app_now()', spentBy: deviceId })
      .where('secret_hash = :secretHash and spent_at is null and expires_at > app_now()', {
        secretHash,
      })
      .returning(['personId', 'purpose'])
      .execute();
    const [row] = spent.raw as { person_id: string; purpose: 'first' | 'pair' }[];
    if (row !== undefined) {
      return { kind: 'spent', personId: PersonId.parse(row.person_id), purpose: row.purpose };
    }
    return this.whyNot(secretHash);
  }

  private async whyNot(secretHash: string): Promise<SpentLink> {
    const link = await this.links.findOneBy({ secretHash });
    if (link === null) return { kind: 'unknown' };
    if (link.spentAt === null) return { kind: 'expired' };
    return { kind: 'already-spent', personId: PersonId.parse(link.personId) };
  }
}
