import { describe, expect, it } from '@jest/globals';
import { scriptedAgents } from './agent/scripted-agents.js';
import { reportLines } from './report-lines.js';
import { runFaults } from './run-faults.js';

const MINUTES = 60_000;

describe('a short run of the fault harness', () => {
  it(
    '[link.1] [link.4] [C10] [C11] nothing is lost or given twice while every part is killed and paused',
    async () => {
      const report = await runFaults({
        agents: scriptedAgents,
        ...{ seed: 20_261_201, lives: 40, minutes: 0, conversations: 16 },
        ...{ patienceMs: 3 * MINUTES, longestFaultMs: 3_000 },
      });
      process.stdout.write(`${reportLines(report).join('\n')}\n`);
      expect(report.violations).toEqual([]);
      expect(report.lives).toBeGreaterThanOrEqual(40);
    },
    10 * MINUTES,
  );
});
