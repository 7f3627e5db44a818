// `npm run bench`: each figure beside its baseline, taken in the same run; JSON in test-results/bench.json.
import { mkdir, writeFile } from 'node:fs/promises';
import { measureCardRoundTrip } from './card-round-trip.js';
import { table } from './measured.js';
import { measureWritePath } from './write-path.js';

const rows = [...(await measureCardRoundTrip()), ...(await measureWritePath())];
console.log(table(rows));
await mkdir('test-results', { recursive: true });
await writeFile('test-results/bench.json', JSON.stringify(rows, null, 2));
