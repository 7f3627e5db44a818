import 'reflect-metadata';

export {
  findDatabase,
  migrate,
  usesOwnDatabase,
  type DatabaseAddress,
  type DatabaseAddresses,
} from './database/index.js';
export * from './embedded/index.js';
export { HOT_QUERIES } from './hot-queries.js';
export { openStore, type Store } from './store.js';
