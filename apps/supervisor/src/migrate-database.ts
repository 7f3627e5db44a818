import { migrate } from '#persistence';
import { databaseProblem } from './database-problem.js';
import { databaseOf } from './database.js';
import { makeHomeFolders } from './home-folder.js';
import { lockHome } from './home-lock.js';
import { readSettings } from './settings.js';
import { databaseWords } from './supervisor.js';
import { plainTerminal, type Terminal } from './terminal.js';
import { toldPlainly } from './told-plainly.js';

/** Brings the database up to date and starts nothing else; says what was applied. */
async function migrateDatabase(terminal: Terminal): Promise<void> {
  const { home } = await makeHomeFolders(readSettings(process.env, []).home);
  const lock = await lockHome(home);
  const database = databaseOf(home, databaseWords(terminal));
  try {
    const addresses = await terminal.step('Starting PostgreSQL', () => database.start());
    const applied = await migrate(addresses, (step) => terminal.say(`${step} …`)).catch((cause) => {
      throw databaseProblem(cause);
    });
    terminal.say(applied.length === 0 ? 'Nothing to do.' : `Applied: ${applied.join(', ')}`);
  } finally {
    await database.stop();
    await lock.release();
  }
}

const terminal = plainTerminal(process.stdout);
process.exitCode = await toldPlainly(terminal, () => migrateDatabase(terminal));
