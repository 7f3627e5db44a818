// `npm start`: from a bare clone to a running Coxswain. Needs Node and npm, nothing else; what is done is skipped.
import './check-node.mjs';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { ROOT } from './run-program.mjs';
import { main } from './terminal.mjs';

await main(async () => {
  await prepare();
  await import(pathToFileURL(join(ROOT, 'dist/run/supervisor.mjs')).href);
});
