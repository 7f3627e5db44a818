// A hub for the supervisor's tests: takes sockets from its parent and answers each request with its own process id.
// What it hears and does goes to the diary named in TEST_DIARY, a line each.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { TEST_DIARY: diary, TEST_NAME: name, TEST_FAILS: fails } = process.env;
const write = (line) => appendFileSync(diary, `${name} ${line}\n`);
const server = createServer((request, answer) => answer.end(`${process.pid}`));

process.on('message', (message, socket) => {
  if (message.kind === 'connection') {
    if (socket === undefined) return;
    process.send({ kind: 'taken', n: message.n });
    server.emit('connection', socket);
    return;
  }
  write(`told ${JSON.stringify(message)}`);
  if (fails !== undefined) {
    process.send({ kind: 'failed', message: fails }, () => process.exit(1));
    return;
  }
  process.send({ kind: 'ready' });
});
process.on('SIGTERM', () => {
  write('stops');
  process.exit(0);
});
process.on('disconnect', () => {
  write('is left alone');
  process.exit(0);
});
