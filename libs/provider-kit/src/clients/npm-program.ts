import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Where npm's program lies beside a `node`, by how Node is packaged. */
const BESIDE_NODE = [
  '../lib/node_modules/npm/bin/npm-cli.js',
  'node_modules/npm/bin/npm-cli.js',
  '../share/nodejs/npm/bin/npm-cli.js',
];

/** How npm is started: `[program, ...first arguments]`. */
export type NpmProgram = readonly [string, ...string[]];

/**
 * Finds npm: the one that started this process, the one beside the running node, or the one on the PATH.
 * Undefined where there is none.
 */
export function findNpm(
  environment: NodeJS.ProcessEnv = process.env,
  node: string = process.execPath,
): NpmProgram | undefined {
  const script = [
    environment['npm_execpath'],
    ...BESIDE_NODE.map((path) => join(dirname(node), path)),
  ].find((path) => path?.endsWith('npm-cli.js') === true && existsSync(path));
  if (script !== undefined) return [node, script];
  return onPath(environment['PATH'] ?? '', node);
}

function onPath(path: string, node: string): NpmProgram | undefined {
  for (const folder of path.split(delimiter)) {
    const found = join(folder, 'npm');
    if (folder === '' || !existsSync(found)) continue;
    const real = realpathSync(found);
    return real.endsWith('.js') ? [node, real] : [found];
  }
  return undefined;
}
