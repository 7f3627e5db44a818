import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { classifyAction, describeAction, isStillAsShown, type ToolUse } from './describe-action.js';

let scratch: string;
let folder: string;

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(path.join(tmpdir(), 'coxswain-actions-')));
  folder = path.join(scratch, 'work');
  await mkdir(path.join(folder, 'src'), { recursive: true });
  await writeFile(path.join(folder, 'a.txt'), 'one\n');
  await symlink(scratch, path.join(folder, 'out'));
});
afterAll(() => rm(scratch, { recursive: true }));

const place = () => ({ folder, homeFolder: scratch });
const kindOf = async (use: ToolUse): Promise<string> => (await classifyAction(use, place())).kind;
const reads = (...paths: string[]): ToolUse => ({ does: 'read', paths });
const writes = (file: string, after = 'two\n'): ToolUse & { does: 'write' } => ({
  does: 'write',
  path: file,
  after: () => after,
});

describe('the kind of an action', () => {
  it.each([
    ['read-inside', () => reads()],
    ['read-inside', () => reads('a.txt', 'src')],
    ['read-outside', () => reads('a.txt', '/etc/hostname')],
    ['read-outside', () => reads('../secret')],
    ['read-outside', () => reads('out/secret')],
    ['read-outside', () => reads('~/x')],
    ['secrets', () => reads('/proc/1/environ')],
    ['secrets', () => reads('/proc/self/mem')],
    ['write', () => writes('new.txt')],
    ['configure-agents', () => writes('CLAUDE.md')],
    ['configure-agents', () => writes('.Claude/settings.json')],
    ['configure-agents', () => writes('.git/hooks/pre-commit')],
  ])('[M3] %s', async (kind, use) => {
    expect(await kindOf(use())).toBe(kind);
  });

  it('[M3] a write through a link is one to where it leads', async () => {
    const action = await classifyAction(writes('out/x.txt'), place());
    expect(action).toMatchObject({ path: path.join(scratch, 'x.txt'), risks: ['outside-folder'] });
  });

  it('[M4] the client’s own file of its plan is known by where it really lies', async () => {
    const use = {
      ...writes('plan.md'),
      isPlan: (real: string) => real === path.join(folder, 'plan.md'),
    };
    expect(await kindOf(use)).toBe('plan-file');
  });
});

describe('what the person is shown', () => {
  const described = async (use: ToolUse, input: unknown = {}) =>
    describeAction({ tool: 'Write', input }, await classifyAction(use, place()), place());

  it('[M3] an edit has its diff and the hash of the file as it is', async () => {
    const action = await described(writes('a.txt'));
    expect(action.diff).toContain('-one\n+two');
    expect(action.fileHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('[M3] a new file has a hash that says so', async () => {
    expect((await described(writes('new.txt'))).fileHash).toBe('absent');
  });

  it('[M3] an action whose file has changed since is not what was shown', async () => {
    const file = path.join(folder, 'changing.txt');
    await writeFile(file, 'before\n');
    const action = await described(writes('changing.txt'));
    expect(await isStillAsShown(action)).toBe(true);
    await writeFile(file, 'after\n');
    expect(await isStillAsShown(action)).toBe(false);
  });

  it('[M3] a file that is there by now is not the one that was not', async () => {
    const action = await described(writes('late.txt'));
    await writeFile(path.join(folder, 'late.txt'), '');
    expect(await isStillAsShown(action)).toBe(false);
  });

  it('[M3] all arguments are there, to the letter', async () => {
    const input = { file_path: 'a.txt', content: 'NUL \u0000 and \ud800' };
    expect(JSON.parse((await described(writes('a.txt'), input)).arguments)).toEqual(input);
  });

  it('[M3] what can’t be shown whole is not shown at all', async () => {
    await expect(described(writes('a.txt'), { content: 'x'.repeat(200_000) })).rejects.toThrow(
      'smaller steps',
    );
  });
});
