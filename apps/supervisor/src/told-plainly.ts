import { EmbeddedPostgresError } from '#persistence';
import { CertificateError } from './certificate-files.js';
import { NoSuchAddressError, PortTakenError } from './front-door.js';
import { HomeInUseError } from './home-lock.js';
import { PartFailedError } from './part-failed-error.js';
import { inWords } from './plain-words.js';
import { ReachError } from './reach-settings.js';
import { SettingsError } from './settings.js';
import type { Terminal } from './terminal.js';

/** What a person can mend is told by its message alone. */
const PLAIN = [
  SettingsError,
  HomeInUseError,
  PortTakenError,
  EmbeddedPostgresError,
  PartFailedError,
  ReachError,
  CertificateError,
  NoSuchAddressError,
];

/**
 * Does a program's work; what a person can mend is said in its words, anything else is thrown.
 *
 * @returns the exit code
 */
export async function toldPlainly(terminal: Terminal, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!PLAIN.some((kind) => error instanceof kind)) throw error;
    terminal.say(`\n${inWords(error)}`);
    return 1;
  }
}
