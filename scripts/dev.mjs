// `npm run dev`: the whole product, built again at every change. Hub, relay and supervisor are compiled by tsc and start
// anew; the page is built by Vite and served by the hub as always, so that its origin and its security policy are the
// real ones.
import './check-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { prepare } from './prepare.mjs';
import { ROOT } from './run-program.mjs';
import { main } from './terminal.mjs';

const tool = (path, ...args) => ({ file: join(ROOT, path), args });
const TSC = tool(
  'node_modules/typescript/bin/tsc',
  ...['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
);
const VITE = tool(
  'node_modules/vite/bin/vite.js',
  ...['build', 'apps/dashboard', '--watch', '--logLevel', 'warn'],
  ...['--outDir', join(ROOT, 'dist/dashboard'), '--emptyOutDir'],
);
const BUNDLE = tool('scripts/bundle.mjs');
const SUPERVISOR = tool('dist/run/supervisor.mjs');

/** In a session of its own: a Ctrl-C reaches only us, and we stop all of it in order. */
const run = ({ file, args }, stdio) =>
  spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', stdio, 'inherit'],
  });

const stop = async (child) => {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
};

/** Starts the product anew, one restart after the other. */
class Product {
  #running;
  #last = Promise.resolve();

  restart() {
    this.#last = this.#last.then(async () => {
      await stop(this.#running);
      await once(run(BUNDLE, 'inherit'), 'exit');
      this.#running = run(SUPERVISOR, 'inherit');
    });
    return this.#last;
  }

  async end() {
    await this.#last;
    await stop(this.#running);
  }
}

await main(async () => {
  await prepare();
  const product = new Product();
  const builders = [run(TSC, 'pipe'), run(VITE, 'inherit')];
  createInterface({ input: builders[0].stdout }).on('line', (line) => {
    console.log(line);
    if (/Found 0 errors/.test(line)) void product.restart();
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await Promise.all([product.end(), ...builders.map(stop)]);
  process.exit(0);
});
