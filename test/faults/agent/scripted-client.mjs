// A client in a process of its own, as a provider's is: `scripted-client.mjs <record>`. It takes lines of JSON, writes
// each thing that it takes, says or asks to its record before it tells of it, and can be killed or paused at any
// moment. What it does stands in the message that it is sent (see plan/life-script.ts).
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

const [record] = process.argv.slice(2);
const life = `${process.pid}-${Date.now().toString(36)}`;
const before = existsSync(record) ? readFileSync(record, 'utf8') : '';
const had = new Set([...before.matchAll(/"kind":"life","id":"([^"]+)"/g)].map(([, id]) => id));
const keep = (entry) =>
  appendFileSync(record, `${JSON.stringify({ ...entry, life, at: Date.now() })}\n`);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
/** Calls that wait, each with what ends its wait. */
const waiting = new Map();
const inbox = [];
let said = 0;
let working = false;
let stopped = false;
/** Milliseconds between hearing something and writing it down, and between that and saying so. */
let lags = { before: 0, after: 0 };
/** What was heard is taken in its order. */
let taking = Promise.resolve();

const say = (about) => {
  said += 1;
  const text = `${about} #${life}.${said}`;
  keep({ kind: 'says', text });
  tell({ kind: 'says', text });
};

/** Writes down how a call ended; it is told in a moment, and whoever kills the client before that leaves a riddle. */
const end = (call, kind, how) => {
  keep({ kind, call, ...how });
  waiting.get(call)?.();
  waiting.delete(call);
};

const giveUp = (call, why) => {
  end(call, 'withdrew', { why });
  tell({ kind: 'withdrew', call });
};

/** Asks and waits; where the script says so it gives the question up by itself after a while. */
const ask = async ({ call, questions, waits, givesUpAfter }) => {
  keep({ kind: 'asks', call });
  const over = new Promise((done) => waiting.set(call, done));
  tell({ kind: 'asks', call, questions, waits });
  const timer =
    givesUpAfter === undefined
      ? undefined
      : setTimeout(() => waiting.has(call) && giveUp(call, 'script'), givesUpAfter);
  await over;
  clearTimeout(timer);
};

const live = async ({ id, says, pace, lag, calls }) => {
  lags = lag;
  // A script that was begun before is not begun again: a person's agent would not ask twice either.
  if (had.has(id)) return say(`had ${id} before`);
  had.add(id);
  keep({ kind: 'life', id });
  for (let i = 0; i < says && !stopped; i += 1) {
    say(`${id} before`);
    await pause(pace);
  }
  if (!stopped) await Promise.all(calls.map(ask));
  for (let i = 0; i < says && !stopped; i += 1) {
    say(`${id} after`);
    await pause(pace);
  }
};

const work = async () => {
  if (working) return;
  working = true;
  stopped = false;
  tell({ kind: 'turn-begun' });
  while (inbox.length > 0 && !stopped) {
    const text = inbox.shift();
    const script = /LIFE (\{.*\})$/s.exec(text)?.[1];
    if (script === undefined) say('noted');
    else await live(JSON.parse(script));
  }
  inbox.length = 0;
  working = false;
  tell({ kind: 'turn-over', outcome: stopped ? 'interrupted' : 'done' });
};

const take = {
  async message({ messageId, text }) {
    await pause(lags.before);
    keep({ kind: 'message', messageId, text });
    await pause(lags.after);
    tell({ kind: 'message-taken', messageId });
    inbox.push(text);
    void work();
  },
  async result({ call, text }) {
    await pause(lags.before);
    // It came while the question was being given up: nobody waits for it, so nobody has it.
    if (!waiting.has(call)) return;
    end(call, 'result', { text });
    await pause(lags.after);
    tell({ kind: 'result-taken', call });
  },
  interrupt() {
    stopped = working;
    for (const call of [...waiting.keys()]) giveUp(call, 'interrupt');
    tell({ kind: 'interrupted' });
  },
  close() {
    keep({ kind: 'closed' });
    process.exit(0);
  },
};

keep({ kind: 'born', pid: process.pid });
tell({ kind: 'born' });
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const told = JSON.parse(line);
    taking = taking.then(() => take[told.kind](told));
  })
  // The relay is gone: so is whoever could answer.
  .on('close', () => process.exit(0));
