import { DataSource, type DataSourceOptions } from 'typeorm';
import { MIGRATIONS } from '#migrations';
import { ROWS } from '../rows/index.js';
import type { OnConnectionLost } from './connection-pool.js';
import type { DatabaseAddress } from './database-address.js';

/** TypeORM over a database: entities of the low-rate tables, and the migrations (by class, no globs). */
export function createDataSource(
  address: DatabaseAddress,
  onConnectionLost: OnConnectionLost = () => undefined,
): DataSource {
  const place: Partial<DataSourceOptions> =
    'url' in address
      ? { url: address.url }
      : {
          host: address.host,
          port: address.port,
          username: address.user,
          password: address.password,
          database: address.database,
        };
  return new DataSource({
    ...place,
    type: 'postgres',
    entities: ROWS,
    migrations: MIGRATIONS,
    migrationsTableName: 'migration',
    migrationsTransactionMode: 'each',
    synchronize: false,
    logging: false,
    applicationName: 'coxswain',
    poolSize: 3,
    // TypeORM would make the extension that its generated ids need; ids are made by us.
    installExtensions: false,
    poolErrorHandler: onConnectionLost,
  } as DataSourceOptions);
}
