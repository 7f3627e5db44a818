import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** A TypeScript program of the tests that runs in a process of its own and speaks in lines of JSON. */
export interface TypeScriptProcess {
  readonly child: ChildProcess;
  /** The next line that it says; rejects with its complaints when it ends without one. */
  next(): Promise<unknown>;
  /** Asks for its end and waits for it. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `test/<program>`; as another user where `user` says so (only root can do that). */
export function startTypeScript(options: {
  readonly program: string;
  readonly args: readonly string[];
  readonly user?: { readonly uid: number; readonly gid: number };
}): TypeScriptProcess {
  const flags = ['--conditions=source', '--import', 'tsx', `test/${options.program}`];
  const child = spawn(process.execPath, [...flags, ...options.args], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    ...options.user,
  });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async next() {
      const line = await lines.next();
      if (line.done === true)
        throw new Error(`${options.program} ended without a word: ${complaints}`);
      return JSON.parse(line.value) as unknown;
    },
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

/** Whether a process runs; one that has ended and only waits for its parent to notice does not. Linux only. */
export async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
}
