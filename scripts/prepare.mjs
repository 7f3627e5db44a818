// Brings a clone to where it can run: packages installed, hub and relay and dashboard built. What is done already is
// told by the content of files, never by their times, and is skipped.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { npm, ROOT, runProgram } from './run-program.mjs';
import { step } from './terminal.mjs';

const at = (...parts) => join(ROOT, ...parts);
const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

const fits = (wanted, own) => {
  if (wanted === undefined) return true;
  return wanted.includes(own) || (wanted[0]?.startsWith('!') && !wanted.includes(`!${own}`));
};
const isForThisMachine = ({ os, cpu }) => fits(os, process.platform) && fits(cpu, process.arch);

/** The packages that the lock file wants on this machine: path → version. */
const wantedPackages = () => {
  const { packages } = readJson(at('package-lock.json'));
  return Object.entries(packages).filter(([path, entry]) => path !== '' && isForThisMachine(entry));
};

/**
 * Whether node_modules holds what the lock file says; npm itself keeps the record that is compared. An optional package
 * may be missing: npm leaves out those that this system's C library doesn't fit.
 */
const packagesAreInstalled = () => {
  const installed = readJson(at('node_modules/.package-lock.json'))?.packages;
  if (installed === undefined) return false;
  return wantedPackages().every(
    ([path, entry]) =>
      installed[path]?.version === entry.version || (entry.optional && !installed[path]),
  );
};

/** npm asks for each package twice: for what is known of it, and for the package. */
const FETCHES_A_PACKAGE = 2;

const installPackages = () =>
  step('Installing packages', async (say) => {
    const all = wantedPackages().length * FETCHES_A_PACKAGE;
    let fetched = 0;
    const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'http'];
    await runProgram(npm('ci', ...flags), {
      failure: 'The packages could not be installed',
      onLine(line) {
        if (!line.startsWith('npm http')) return;
        fetched += 1;
        say(`${Math.min(99, Math.round((100 * fetched) / all))} %`);
      },
    });
  });

const NOT_BUILT = /(?:\.spec\.ts|\.md)$/;

const filesBelow = (path) => {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
};

const hashOf = (paths) => {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const path of paths.sort())
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path));
  return hash.digest('hex');
};

const CONFIG = ['package.json', 'package-lock.json', 'tsconfig.json'].map((name) => at(name));

/** What is built, from what, into what; `proof` is a file without which nothing was built. */
const BUILDS = [
  {
    name: 'Building hub and relay',
    failure: 'Hub and relay could not be built',
    sources: () => [
      ...['apps/hub', 'apps/relay', 'apps/supervisor', 'libs', 'migrations'].flatMap((folder) =>
        filesBelow(at(folder)),
      ),
      ...[...CONFIG, at('tsconfig.build.json'), at('nest-cli.json'), at('scripts/bundle.mjs')],
    ],
    proof: at('dist/run/supervisor.mjs'),
    stamp: at('dist/.built-server'),
    // tsc believes its own record of what it has written, also after somebody has removed that.
    forget: at('dist/.tsbuildinfo'),
    commands: [
      [process.execPath, at('node_modules/@nestjs/cli/bin/nest.js'), 'build'],
      [process.execPath, at('scripts/bundle.mjs')],
    ],
  },
  {
    name: 'Building the dashboard',
    failure: 'The dashboard could not be built',
    sources: () => [
      ...['apps/dashboard', 'libs/contracts', 'libs/domain'].flatMap((folder) =>
        filesBelow(at(folder)),
      ),
      ...CONFIG,
    ],
    proof: at('dist/dashboard/index.html'),
    stamp: at('dist/.built-dashboard'),
    forget: undefined,
    commands: [
      [
        ...[process.execPath, at('node_modules/vite/bin/vite.js'), 'build', 'apps/dashboard'],
        ...['--outDir', at('dist/dashboard'), '--emptyOutDir', '--logLevel', 'warn'],
      ],
    ],
  },
];

const build = async ({ name, failure, sources, proof, stamp, forget, commands }) => {
  const hash = hashOf(sources());
  const isBuilt = existsSync(proof);
  if (isBuilt && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  rmSync(stamp, { force: true });
  if (!isBuilt && forget !== undefined) rmSync(forget, { force: true });
  await step(name, async () => {
    for (const command of commands)
      await runProgram(command, { failure, env: { NODE_ENV: 'production' } });
  });
  await mkdir(dirname(stamp), { recursive: true });
  await writeFile(stamp, hash);
};

/** Installs and builds what is not installed and built yet. */
export const prepare = async () => {
  if (!packagesAreInstalled()) await installPackages();
  for (const one of BUILDS) await build(one);
};
