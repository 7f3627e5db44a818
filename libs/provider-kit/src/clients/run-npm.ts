import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { DriverFailure, type ClientPackage, type ProcessRegistry } from '../driver.js';
import { newChildMark } from '../processes/child-mark.js';
import { findNpm } from './npm-program.js';

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
export async function runNpm(
  client: ClientPackage,
  folder: string,
  processes?: ProcessRegistry,
): Promise<void> {
  const npm = findNpm();
  if (npm === undefined) {
    throw new DriverFailure({
      code: 'npm-missing',
      message: 'npm was found neither beside the running Node nor on the PATH.',
      advice: 'Install npm, then try again.',
    });
  }
  const wanted = client.source ?? `${client.name}@${client.version}`;
  const [program, ...first] = npm;
  const child = startNpm([program, ...first, 'install', ...OPTIONS, '--prefix', folder, wanted], {
    processes,
  });
  const { code, output } = await endOf(child);
  if (code === 0) return;
  throw new DriverFailure({
    code: 'client-install',
    message: `npm could not install ${client.name} ${client.version}: ${output.trim() || `it ended with code ${code}`}`,
    advice: 'Check the network and the free space, then try again.',
  });
}

/** A leader of a group of its own where somebody looks after it; else it ends with whoever waits for it. */
function startNpm(
  command: readonly [string, ...string[]],
  { processes }: { processes: ProcessRegistry | undefined },
): Npm {
  const [program, ...options] = command;
  const { mark, environment } = newChildMark();
  const child = spawn(program, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    detached: processes !== undefined,
  });
  const { pid } = child;
  if (pid === undefined) return child;
  processes?.started({ pid, group: true, what: 'npm', mark });
  child.once('close', () => processes?.ended(pid));
  return child;
}

type Npm = ChildProcessByStdio<null, Readable, Readable>;

function endOf(child: Npm): Promise<{ code: number | null; output: string }> {
  return new Promise((done, failed) => {
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
