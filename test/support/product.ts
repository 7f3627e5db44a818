import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { descendants } from './process-tree.js';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const SUPERVISOR = join(REPOSITORY, 'dist/run/supervisor.mjs');
const SIGN_IN_LINK = /http:\/\/127\.0\.0\.1:\d+\/#\/sign-in\/[A-Za-z0-9_-]+/;

/** What the command lines of its parts end with. */
export const PROGRAMS = { hub: 'dist/run/hub.mjs', relay: 'dist/apps/relay/src/main.js' };

/** The whole product as a person starts it: the supervisor with PostgreSQL, hub and relay, from what was built. */
export interface Product {
  readonly url: string;
  readonly home: string;
  readonly supervisor: ChildProcess;
  /** The one-time link that it printed. */
  readonly signInLink: string;
  /** Everything that it has printed so far. */
  output(): string;
  /** Resolves once it has printed this. */
  printed(pattern: RegExp): Promise<unknown>;
  /** Process id of a part that runs now. */
  pidOf(part: 'hub' | 'relay'): number;
  /** Ends as Ctrl-C does and waits for it. */
  stop(): Promise<void>;
}

export async function startProduct(options: {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}): Promise<Product> {
  if (!existsSync(SUPERVISOR)) throw new Error('Build it first: npm run build');
  const port = await freePort();
  const supervisor = spawn(process.execPath, [SUPERVISOR, ...(options.args ?? [])], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...whatNpmNeeds(),
      PATH: process.env['PATH'] ?? '',
      HOME: options.home,
      COXSWAIN_HOME: join(options.home, 'coxswain'),
      COXSWAIN_PORT: String(port),
      ...options.environment,
    },
  });
  const printed = follow(supervisor);
  const signInLink = (await printed.until(SIGN_IN_LINK))[0];
  return {
    url: `http://127.0.0.1:${port}`,
    home: options.home,
    supervisor,
    signInLink,
    output: printed.sofar,
    printed: printed.until,
    pidOf: (part) => childPid(supervisor.pid ?? 0, PROGRAMS[part]),
    stop: () => stop(supervisor),
  };
}

/** How this machine reaches its package registry: the relay brings the client from there. */
function whatNpmNeeds(): NodeJS.ProcessEnv {
  const needed = /^(?:NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_\w+)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

function follow(child: ChildProcess): {
  sofar: () => string;
  until: (pattern: RegExp) => Promise<RegExpExecArray>;
} {
  let text = '';
  const looking = new Set<() => void>();
  const take = (chunk: Buffer): void => {
    text += chunk.toString();
    for (const look of [...looking]) look();
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  child.on('exit', () => looking.forEach((look) => look()));
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(text);
        const ended = child.exitCode !== null || child.signalCode !== null;
        if (found === null && !ended) return;
        looking.delete(look);
        if (found !== null) resolve(found);
        else reject(new Error(`It ended before it printed ${String(pattern)}:\n${text}`));
      };
      looking.add(look);
      look();
    });
  return { sofar: () => text, until };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGINT');
  await exited;
}

/** The child of `parent` whose command line holds `program`. */
function childPid(parent: number, program: string): number {
  const child = descendants(parent, program).find((found) => found.parent === parent);
  if (child === undefined) throw new Error(`No child of ${parent} runs ${program}`);
  return child.pid;
}

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
