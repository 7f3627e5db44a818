import { beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const planted = join(root, 'test/planted');
const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );

/** Runs a tool as `npm run check` does and gives back what it printed; tools that find breaches exit with 1. */
const run = (tool: string, ...args: string[]) =>
  new Promise<string>((done, failed) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules', tool), ...args],
      { cwd: root, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (stdout === '')
          failed(new Error(`${tool} printed nothing: ${stderr}`, { cause: error }));
        else done(stdout);
      },
    );
  });

const cruise = async (...paths: string[]) => {
  const out = await run(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser.js', '--output-type', 'json', ...paths],
  );
  return JSON.parse(out) as {
    summary: {
      totalCruised: number;
      violations: { from: string; to: string; rule: { name: string } }[];
      ruleSetUsed: { forbidden: { name: string }[] };
    };
  };
};

describe('imports', () => {
  let found: Awaited<ReturnType<typeof cruise>>;
  beforeAll(async () => {
    found = await cruise('test/planted/boundaries');
  }, 120_000);

  it.each(folders(join(planted, 'boundaries')))('[architecture] %s fires on its plant', (rule) => {
    const fired = found.summary.violations
      .filter(({ from }) => from.startsWith(`test/planted/boundaries/${rule}/`))
      .map((violation) => violation.rule.name);
    expect([...new Set(fired)]).toEqual([rule]);
  });

  it('[architecture] every rule of imports has a plant', () => {
    const rules = found.summary.ruleSetUsed.forbidden.map(({ name }) => name);
    expect(folders(join(planted, 'boundaries')).sort()).toEqual(rules.sort());
  });

  it('[architecture] the tree keeps every rule of imports', async () => {
    const tree = await cruise('apps', 'libs', 'migrations', 'test');
    const breaches = tree.summary.violations.filter(
      ({ from }) => !from.startsWith('test/planted/'),
    );
    expect(breaches.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
    expect(tree.summary.totalCruised).toBeGreaterThan(20);
  }, 120_000);
});

/** The rule of ESLint that each planted breach must set off, and no other. */
const LINT_PLANTS: Record<string, string> = {
  'file-names-kebab': 'coxswain/file-names',
  'file-names-empty-word': 'coxswain/file-names',
  'no-literal-text': 'coxswain/no-literal-text',
  'no-literal-text-attribute': 'coxswain/no-literal-text',
  'no-literal-text-expression': 'coxswain/no-literal-text',
  'no-provider-names': 'coxswain/no-provider-names',
  'no-provider-names-switch': 'coxswain/no-provider-names',
  'domain-reads-no-clock': 'no-restricted-properties',
  'domain-throws-no-dice': 'no-restricted-properties',
  'domain-makes-no-date': 'no-restricted-syntax',
  'domain-has-no-timers': 'no-restricted-globals',
  'domain-reads-no-environment': 'no-restricted-globals',
  'domain-does-not-fetch': 'no-restricted-globals',
  'domain-makes-no-ids': 'no-restricted-globals',
  'exhaustive-switch': '@typescript-eslint/switch-exhaustiveness-check',
  'no-filler-default': '@typescript-eslint/switch-exhaustiveness-check',
  unused: '@typescript-eslint/no-unused-vars',
  'floating-promise': '@typescript-eslint/no-floating-promises',
  parameters: 'no-restricted-syntax',
  collaborators: 'no-restricted-syntax',
  complexity: 'complexity',
  'long-file': 'max-lines',
  'long-function': 'max-lines-per-function',
  'plans-in-comments': 'no-warning-comments',
  'no-console': 'no-console',
};

describe('lint', () => {
  let fired: { filePath: string; messages: { ruleId: string | null }[] }[];
  beforeAll(async () => {
    const out = await run(
      'eslint/bin/eslint.js',
      '--no-ignore',
      '--format',
      'json',
      'test/planted/lint',
    );
    fired = JSON.parse(out) as typeof fired;
  }, 120_000);

  it.each(Object.entries(LINT_PLANTS))('[architecture] the plant %s sets off %s', (plant, rule) => {
    const messages = fired
      .filter(({ filePath }) => filePath.startsWith(join(planted, 'lint', plant, '/')))
      .flatMap((file) => file.messages);
    expect([...new Set(messages.map(({ ruleId }) => ruleId))]).toEqual([rule]);
  });

  it('[architecture] every plant of lint is named here', () => {
    expect(folders(join(planted, 'lint')).sort()).toEqual(Object.keys(LINT_PLANTS).sort());
  });

  it('[architecture] every rule of our own has a plant', () => {
    const ours = [
      ...readFileSync(join(root, 'eslint-rules/index.js'), 'utf8').matchAll(/^\s+'([a-z-]+)':/gm),
    ];
    const rules = ours.map(([, name]) => `coxswain/${name}`);
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter((rule) => !Object.values(LINT_PLANTS).includes(rule))).toEqual([]);
  });
});
