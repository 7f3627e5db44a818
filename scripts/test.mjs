// `npm test`: everything, from a bare clone. The last line sums up.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.mjs';
import { ensureNewerNode } from './newer-node.mjs';
import { prepare } from './prepare.mjs';
import { ROOT } from './run-program.mjs';
import { main } from './terminal.mjs';

const RESULTS = join(ROOT, 'test-results');

/** Runs one of jest's projects to its end. @returns what it counted */
const runTests = async ({ name, node, project, flags }) => {
  const file = join(RESULTS, `${name}.json`);
  console.log(`\n── ${name} ──`);
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const code = await new Promise((done, failed) => {
    spawn(
      node,
      [
        ...['--experimental-vm-modules', '--no-warnings', jest, '--selectProjects', project],
        // No test waits for time; this is for machines that are busy, and says that something hangs.
        ...['--testTimeout', '120000', '--json', '--outputFile', file, ...flags],
      ],
      {
        cwd: ROOT,
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          // The clients of agents are hundreds of megabytes: all tests share one download.
          COXSWAIN_CLIENTS:
            process.env.COXSWAIN_CLIENTS ?? join(homedir(), '.cache/coxswain/clients'),
        },
      },
    )
      .on('error', failed)
      .on('close', done);
  });
  return { name, ...countsIn(file, code) };
};

/** A suite that could not be run at all counts as one failure, and so does a run that counted nothing. */
const countsIn = (file, code) => {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(file, 'utf8'));
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const ranNothing = result.numPassedTests === 0;
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && (code !== 0 || ranNothing) ? 1 : failed,
    skipped: result.numPendingTests,
  };
};

const sum = (counts, key) => counts.reduce((total, one) => total + one[key], 0);

await main(async () => {
  await prepare();
  await ensureChromium();
  const newer = await ensureNewerNode();
  await rm(RESULTS, { recursive: true, force: true });
  await mkdir(RESULTS, { recursive: true });
  const node = process.execPath;
  const runs = [
    { name: 'unit', node, project: 'unit', flags: [] },
    ...(newer === undefined
      ? []
      : [{ name: 'unit-on-node-24', node: newer, project: 'unit', flags: [] }]),
    { name: 'medium', node, project: 'medium', flags: [] },
    // Whole products with a browser each: one after the other.
    { name: 'e2e', node, project: 'e2e', flags: ['--runInBand'] },
    { name: 'faults', node, project: 'faults', flags: ['--runInBand'] },
  ];
  const counts = [];
  for (const run of runs) counts.push(await runTests(run));
  console.log('');
  for (const { name, passed, failed, skipped } of counts) {
    console.log(
      `${name}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    );
  }
  const failed = sum(counts, 'failed');
  const skipped = sum(counts, 'skipped');
  console.log(
    `\n${sum(counts, 'passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  );
  if (failed > 0) process.exitCode = 1;
});
