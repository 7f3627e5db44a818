import { spawn } from 'node:child_process';
import { DriverFailure, type ClientPackage } from '../driver.js';
import { findNpm, type NpmProgram } from './npm-program.js';

/**
 * Clients bring what they need as packages per platform, so no install script runs. What is only named as
 * a peer is bundled in them.
 */
const OPTIONS = [
  '--ignore-scripts',
  '--omit=peer',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--no-progress',
  '--loglevel=error',
  // A client that is installed by a project's `npm test` or `npm start` must not inherit that project's settings.
  '--no-workspaces',
  // A folder is copied, not linked.
  '--install-links',
  '--global=false',
];
const KEPT_OUTPUT = 4_000;

/** Installs the client into `folder`. Rejects with a {@link DriverFailure} that has the end of npm's output. */
export async function runNpm(client: ClientPackage, folder: string): Promise<void> {
  const npm = findNpm();
  if (npm === undefined) {
    throw new DriverFailure({
      code: 'npm-missing',
      message: 'npm was found neither beside the running Node nor on the PATH.',
      advice: 'Install npm, then try again.',
    });
  }
  const { code, output } = await run(npm, [
    ...OPTIONS,
    '--prefix',
    folder,
    client.source ?? `${client.name}@${client.version}`,
  ]);
  if (code === 0) return;
  throw new DriverFailure({
    code: 'client-install',
    message: `npm could not install ${client.name} ${client.version}: ${output.trim() || `it ended with code ${code}`}`,
    advice: 'Check the network and the free space, then try again.',
  });
}

function run(npm: NpmProgram, options: string[]): Promise<{ code: number | null; output: string }> {
  const [program, ...first] = npm;
  return new Promise((done, failed) => {
    const child = spawn(program, [...first, 'install', ...options], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = `${output}${chunk.toString('utf8')}`.slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', failed);
    child.once('close', (code) => done({ code, output }));
  });
}
