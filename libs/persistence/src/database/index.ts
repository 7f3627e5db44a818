export { createPool, type OnConnectionLost } from './connection-pool.js';
export { createDataSource } from './data-source.js';
export {
  findDatabase,
  usesOwnDatabase,
  type DatabaseAddress,
  type DatabaseAddresses,
} from './database-address.js';
export { reportRoles, type RoleReport } from './grants.js';
export { migrate } from './migrate.js';
