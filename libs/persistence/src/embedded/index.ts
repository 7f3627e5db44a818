export { readEmbeddedConnection, type EmbeddedConnection } from './embedded-connection.js';
export { EmbeddedPostgresError, type EmbeddedPostgresFault } from './embedded-postgres-error.js';
export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type StartLog,
} from './start-embedded-postgres.js';
export { identifyProcess, isStillRunning, ProcessIdentity } from './process-identity.js';
