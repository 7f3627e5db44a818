// `npm run migrate`: brings the database up to date (DATABASE_URL's, or the embedded one) and starts nothing else.
// `npm start` does so by itself.
import './check-node.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { ROOT } from './run-program.mjs';
import { main } from './terminal.mjs';

await main(async () => {
  await prepare();
  await import(pathToFileURL(join(ROOT, 'dist/apps/supervisor/src/migrate-database.js')).href);
});
