import { readFile } from 'node:fs/promises';
import type { ChildToSupervisor } from '#contracts';
import { PROVIDERS } from '#providers';
import {
  configurationFromEnvironment,
  configurationFromSupervisor,
  type RelayConfiguration,
} from './configuration/relay-configuration.js';
import { makeLog, type Log } from './log.js';
import { startRelay, type Relay } from './relay.js';

/** Says something to the supervisor; nobody listens where the relay was started by itself. */
function tell(message: ChildToSupervisor): void {
  if (process.connected) process.send?.(message);
}

/** The supervisor's first message, or the environment where there is no supervisor. */
async function readConfiguration(): Promise<RelayConfiguration> {
  if (process.send === undefined) return configurationFromEnvironment(process.env);
  const message = await new Promise<unknown>((resolve, reject) => {
    process.once('message', resolve);
    process.once('disconnect', () => reject(new Error('The supervisor is gone.')));
  });
  return configurationFromSupervisor(message, process.env);
}

/** The version of the product: of the nearest package file above, in the source tree and in the build alike. */
async function readVersion(): Promise<string> {
  for (const above of ['../../../package.json', '../../../../package.json']) {
    const file = await readFile(new URL(above, import.meta.url), 'utf8').catch(() => undefined);
    if (file !== undefined) return (JSON.parse(file) as { version: string }).version;
  }
  return 'unknown';
}

function stopInOrder(relay: Relay, log: Log): void {
  let stopping = false;
  const stop = (why: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'stopping');
    relay.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'did not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // A killed supervisor leaves nobody behind.
  process.on('disconnect', () => stop('the supervisor is gone'));
}

async function main(): Promise<void> {
  const configuration = await readConfiguration();
  const log = makeLog(configuration.logLevel);
  // A fault in one driver's callback must not end the agents of all others.
  process.on('uncaughtException', (error) => log.error({ err: error }, 'a fault nobody caught'));
  const relay = await startRelay({
    configuration,
    drivers: PROVIDERS,
    environment: process.env,
    version: await readVersion(),
    log,
    progress: ({ text, ended }) =>
      tell({
        kind: 'progress',
        text: text.slice(0, 200),
        ...(ended !== undefined && { ended }),
      }),
  });
  log.info({ key: relay.publicKey, hub: configuration.hubUrl }, 'started');
  stopInOrder(relay, log);
  tell({ kind: 'ready' });
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  tell({ kind: 'failed', message: message.slice(0, 2_000) });
  process.stderr.write(`${message}\n`);
  // The supervisor must hear why before the channel closes with the process.
  setTimeout(() => process.exit(1), 50);
});
