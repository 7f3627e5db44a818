// `npm run test:faults`: breaks the whole product again and again and looks whether anything was lost.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { claudeAgents } from './agent/claude-agents.js';
import { scriptedAgents } from './agent/scripted-agents.js';
import { reportLines } from './report-lines.js';
import { GivenUp, runFaults } from './run-faults.js';
import type { Agents } from './stage/agents.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    lives: { type: 'string', default: '500' },
    minutes: { type: 'string', default: '0' },
    conversations: { type: 'string', default: '40' },
    client: { type: 'string', default: 'scripted' },
  },
});

function whole(name: keyof typeof values, least: number, most: number): number {
  const given = Number(values[name]);
  if (Number.isInteger(given) && given >= least && given <= most) return given;
  throw new Error(`--${name} must be a whole number from ${least} to ${most}`);
}

async function agentsOf(client: string): Promise<Agents> {
  if (client === 'scripted') return scriptedAgents;
  if (client === 'claude') return claudeAgents();
  throw new Error('--client must be scripted or claude');
}

const ended = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ended.abort());

const seed = values.seed === undefined ? randomInt(2 ** 31) : whole('seed', 0, 2 ** 31);
process.stdout.write(`seed ${seed}\n`);
const run = {
  seed,
  lives: whole('lives', 1, 1_000_000),
  minutes: whole('minutes', 0, 10_000),
  conversations: whole('conversations', 1, 48),
  patienceMs: 12 * 60_000,
  longestFaultMs: 30_000,
  signal: ended.signal,
  progress: (text: string) => void process.stdout.write(`${text}\n`),
};
const agents = await agentsOf(values.client);
try {
  const report = await runFaults({ agents, ...run });
  process.stdout.write(`${reportLines(report).join('\n')}\n`);
  if (report.violations.length > 0) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof GivenUp)) throw error;
  process.stderr.write('Ended before its time; nothing is left of it.\n');
  // Devices still wait for answers that will not come.
  process.exit(130);
} finally {
  await agents.close();
}
