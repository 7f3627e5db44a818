export { readEmbeddedConnection, type EmbeddedConnection } from './embedded-connection.js';
export { EmbeddedPostgresError } from './embedded-postgres-error.js';
export { removeEmbeddedPostgres } from './remove-embedded-postgres.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
export { identifyProcess, isStillRunning, ProcessIdentity } from './process-identity.js';
