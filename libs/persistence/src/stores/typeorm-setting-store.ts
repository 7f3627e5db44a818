import { SettingStore } from '#domain';
import type { DataSource, Repository } from 'typeorm';
import { SettingRow } from '../rows/index.js';

/** The hub's settings and keys, through TypeORM. */
export class TypeOrmSettingStore extends SettingStore {
  private readonly settings: Repository<SettingRow>;

  constructor(dataSource: DataSource) {
    super();
    this.settings = dataSource.getRepository(SettingRow);
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.settings.findOneBy({ name }))?.value;
  }

  async ensure(name: string, value: string): Promise<string> {
    await this.settings.createQueryBuilder().insert().values({ name, value }).orIgnore().execute();
    return (await this.settings.findOneByOrFail({ name })).value;
  }

  async set(name: string, value: string): Promise<void> {
    await this.settings.upsert({ name, value }, ['name']);
  }
}
