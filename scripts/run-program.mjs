import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PlainError } from './terminal.mjs';

export const ROOT = join(import.meta.dirname, '..');
const KEPT_LINES = 40;
/** What `npm run` tells its own script about the package that it runs for; wrong for another npm below it. */
const OF_THIS_RUN = /^npm_(?:package|lifecycle|command|config_local_prefix)/;

const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THIS_RUN.test(name)));

/**
 * Runs a program to its end and keeps its last lines.
 * @param {string[]} command
 * @param {{ cwd?: string, env?: Record<string, string>, onLine?: (line: string) => void, failure: string }} options
 *   `failure`: what could not be done, for the person
 */
export const runProgram = ([file, ...args], { cwd = ROOT, env = {}, onLine, failure }) =>
  new Promise((done, failed) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...environment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const last = [];
    const take = (line) => {
      onLine?.(line);
      last.push(line);
      if (last.length > KEPT_LINES) last.shift();
    };
    for (const stream of [child.stdout, child.stderr]) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        lines.forEach(take);
      });
      stream.on('end', () => rest !== '' && take(rest));
    }
    const fail = (why) =>
      failed(new PlainError([`${failure} (${why}). What it said last:`, ...last].join('\n')));
    child.on('error', (error) => fail(error.message));
    child.on('close', (code, signal) =>
      code === 0 ? done() : fail(`ended with ${code ?? signal}`),
    );
  });

/** The command line of npm: the one that runs us, else the one on the path. */
export const npm = (...args) => {
  const running = process.env.npm_execpath;
  return running === undefined ? ['npm', ...args] : [process.execPath, running, ...args];
};
