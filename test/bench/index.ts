// `npm run bench`: each figure beside its baseline, taken in the same run; JSON in test-results/bench.json.
import { mkdir, writeFile } from 'node:fs/promises';
import { measureCards } from './card-round-trip.js';
import { measureIdleConversations } from './idle-memory.js';
import { table } from './measured.js';
import { measureStartToPage } from './start-to-page.js';
import { measureWritePath } from './write-path.js';

const rows = [
  ...(await measureCards()),
  ...(await measureWritePath()),
  ...(await measureIdleConversations()),
  await measureStartToPage(),
];
console.log(table(rows));
await mkdir('test-results', { recursive: true });
await writeFile('test-results/bench.json', JSON.stringify(rows, null, 2));
