import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Keys whose values never reach the log, at any depth that our own lines have. */
const SECRETS = [
  'settings',
  'values',
  'environment',
  'env',
  'secret',
  'token',
  'apiKey',
  'signature',
];

/** Lines of JSON on standard error: standard output stays free for whoever starts the relay. */
export function makeLog(level: string): Log {
  const paths = SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  return pino(
    { name: 'relay', level, redact: { paths, censor: '(hidden)' } },
    pino.destination({ dest: 2, sync: true }),
  );
}
