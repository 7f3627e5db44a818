import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const rules = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/rules.mjs', ...args], { cwd: root, encoding: 'utf8' });

it('[docs] no test names a rule that docs/rules.md does not have', () => {
  const { status, stderr } = rules();
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

it('[docs] a test that names an unknown rule is found', () => {
  const { status, stderr } = rules(join(root, 'test/planted/rules'));
  expect(stderr).toContain(
    'test/unknown-rule.spec.ts: [C99] [C99] names a rule that does not exist',
  );
  expect(status).toBe(1);
});
