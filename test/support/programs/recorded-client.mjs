// A client in a process of its own, as a provider's is: it takes lines of JSON, keeps a record on the disk of what
// it took before it says so, and asks when it is told to. It can be killed at any moment.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [record, life] = process.argv.slice(2);
const keep = (entry) => appendFileSync(record, `${JSON.stringify(entry)}\n`);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let asked = 0;

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const told = JSON.parse(line);
    keep(told);
    say({ ...told, kind: `${told.kind}-taken` });
    if (told.kind === 'message' && told.text.startsWith('ask ')) {
      asked += 1;
      say({ kind: 'asks', call: `${life}-${asked}`, question: told.text });
    } else {
      say({ kind: 'done' });
    }
  })
  // The relay is gone: so is whoever could answer.
  .on('close', () => process.exit(0));
