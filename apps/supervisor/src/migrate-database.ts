import { migrate } from '#persistence';
import { databaseOf } from './database.js';
import { makeHomeFolders } from './home-folder.js';
import { lockHome } from './home-lock.js';
import { readSettings } from './settings.js';
import { databaseWords } from './supervisor.js';
import { plainTerminal } from './terminal.js';

/** Brings the database up to date and starts nothing else; says what was applied. */
async function migrateDatabase(): Promise<void> {
  const terminal = plainTerminal(process.stdout);
  const { home } = await makeHomeFolders(readSettings(process.env, []).home);
  const lock = await lockHome(home);
  const database = databaseOf(home, databaseWords(terminal));
  try {
    const addresses = await terminal.step('Starting PostgreSQL', () => database.start());
    const applied = await migrate(addresses, (step) => terminal.say(`${step} …`));
    terminal.say(applied.length === 0 ? 'Nothing to do.' : `Applied: ${applied.join(', ')}`);
  } finally {
    await database.stop();
    await lock.release();
  }
}

await migrateDatabase();
