/** Why the embedded PostgreSQL could not be started; each has a message that says what to do about it. */
export type EmbeddedPostgresFault =
  | 'NO_BINARIES'
  | 'WRONG_OWNER'
  | 'WRONG_VERSION'
  | 'NOT_A_DATA_FOLDER'
  | 'NO_ACCOUNT'
  | 'NO_USER_TO_RUN_AS'
  | 'UNSAFE_FOLDER'
  | 'IN_USE'
  | 'NOT_STOPPED'
  | 'INITDB_FAILED'
  | 'START_FAILED'
  | 'PASSWORD_LOST';

/** A start of the embedded PostgreSQL that did not work out. `message` is written for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  constructor(
    readonly code: EmbeddedPostgresFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
  }
}
