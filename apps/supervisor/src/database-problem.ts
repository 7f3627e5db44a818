import { PartFailedError } from './part-failed-error.js';
import { inWords } from './plain-words.js';

/** What to do, by what PostgreSQL (SQLSTATE, its manual's appendix A) or the system says. */
const ADVICE: { readonly [code: string]: string } = {
  ECONNREFUSED: 'Nothing answers there: start that PostgreSQL, or correct DATABASE_URL.',
  ENOENT: 'Nothing answers there: start that PostgreSQL, or correct DATABASE_URL.',
  ETIMEDOUT: 'Nothing answers there: look at the network between, or correct DATABASE_URL.',
  ENOTFOUND: 'No such host is known: correct DATABASE_URL.',
  EAI_AGAIN: 'The host could not be looked up: look at the network, or correct DATABASE_URL.',
  '3D000': 'Make it with createdb, or correct DATABASE_URL.',
  '28P01': 'Correct user and password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or let it in by pg_hba.conf.',
  '42501':
    'Let this user make tables there, or name one that may in DATABASE_OWNER_URL: grant create on schema public to USER.',
};

/** Why a database can't be used, with what to do about it. */
export function databaseProblem(cause: unknown): PartFailedError {
  const { code } = Object(cause) as { code?: unknown };
  const advice = typeof code === 'string' ? ADVICE[code] : undefined;
  const words = `The database can't be used: ${inWords(cause).replace(/\.?$/, '.')}`;
  return new PartFailedError(advice === undefined ? words : `${words} ${advice}`, { cause });
}
