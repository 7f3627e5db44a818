// The real relay with a driver whose clients keep a record: `recorded-relay.ts <hub> <home> <key file>`.
import { makeLog } from '../../../apps/relay/src/log.js';
import { startRelay } from '../../../apps/relay/src/relay.js';
import { RecordedDriver } from '../relay/recorded-driver.js';

const [hubUrl = '', home = '', keyFile = ''] = process.argv.slice(2);
await startRelay({
  configuration: { hubUrl, home, keyFile, name: 'a relay', logLevel: 'fatal', idleMs: 3_600_000 },
  drivers: [new RecordedDriver()],
  environment: process.env,
  version: '0.0.0',
  log: makeLog('fatal'),
  progress: () => undefined,
});
process.stdout.write('"started"\n');
