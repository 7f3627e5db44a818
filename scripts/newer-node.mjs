// A Node 24 beside the one that runs, from npm: Coxswain promises to run on both.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, ROOT, runProgram } from './run-program.mjs';
import { step } from './terminal.mjs';

const VERSION = '24.21.0';
const FOLDER = join(ROOT, '.cache', `node-${VERSION}`);

/**
 * The package that is installed, and where the program is in it. Linux has a package with the program alone; elsewhere
 * the package `node` fetches the fitting one in its install script, which npm runs only where it is approved.
 */
const source = () => {
  if (process.platform === 'linux') {
    const name = `node-linux-${process.arch}`;
    return {
      name,
      program: join(FOLDER, 'node_modules', name, 'bin/node'),
      flags: ['--ignore-scripts'],
    };
  }
  const program = join(
    FOLDER,
    'node_modules/node/bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  return { name: 'node', program, flags: [] };
};

/** @returns {Promise<string | undefined>} the program; undefined where the running Node is that new itself */
export const ensureNewerNode = async () => {
  if (Number(process.versions.node.split('.')[0]) >= 24) return undefined;
  const { name, program, flags } = source();
  if (existsSync(program)) return program;
  await mkdir(FOLDER, { recursive: true });
  const manifest = { private: true, allowScripts: { node: true } };
  await writeFile(join(FOLDER, 'package.json'), JSON.stringify(manifest));
  await step(`Installing Node ${VERSION}`, () =>
    runProgram(
      npm('install', '--no-audit', '--no-fund', '--no-save', ...flags, `${name}@${VERSION}`),
      {
        cwd: FOLDER,
        failure: `Node ${VERSION} could not be installed`,
      },
    ),
  );
  return program;
};
