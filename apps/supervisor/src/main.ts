import { supervise } from './supervise.js';
import { plainTerminal } from './terminal.js';

// Node's own warnings go there, also after the terminal has been closed.
process.stderr.on('error', () => undefined);
// Whatever still holds the event loop after everything has been stopped is of no use any more.
process.exit(await supervise(plainTerminal(process.stdout), process.argv.slice(2)));
