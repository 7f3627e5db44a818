import { describe, expect, it } from '@jest/globals';
import { toolUse } from './tool-use.js';

const does = (tool: string, input: unknown): string => toolUse(tool, input, '/plans').does;

describe('what a call of the client’s does', () => {
  it.each([
    ['Agent', { prompt: 'Look.' }, 'bookkeeping'],
    ['Agent', { prompt: 'Look.', mode: 'bypassPermissions' }, 'unknown'],
    ['Agent', { prompt: 'Look.', isolation: 'worktree' }, 'unknown'],
    ['TodoWrite', {}, 'bookkeeping'],
    ['Read', { file_path: '/a' }, 'read'],
    ['Read', { path: '/a' }, 'unknown'],
    ['Grep', { pattern: 'x' }, 'read'],
    ['Bash', { command: 'ls' }, 'run'],
    ['Bash', { command: 7 }, 'unknown'],
    ['WebFetch', { url: 'https://example.org' }, 'reach-out'],
    ['Edit', { file_path: '/a', old_string: 'a', new_string: 'b' }, 'write'],
    ['Skill', { skill: 'x' }, 'unknown'],
    ['mcp__files__write', {}, 'unknown'],
    ['constructor', {}, 'unknown'],
  ])('[M3] %s with %j: %s', (tool, input, what) => {
    expect(does(tool, input)).toBe(what);
  });

  it.each([
    [{ pattern: '**/*.ts' }, []],
    [{ pattern: '**/*.ts', path: 'src' }, ['src']],
    [{ pattern: '/etc/*.conf' }, ['/etc/']],
    [{ pattern: 'src/*.ts' }, ['src/']],
  ])('[M3] a pattern that leads elsewhere is read where it leads: %j', (input, paths) => {
    expect(toolUse('Glob', input, '/plans')).toEqual({ does: 'read', paths });
  });

  it('[M3] a pattern that climbs is read from where it may end', () => {
    const use = toolUse('Glob', { pattern: '*/../../x' }, '/plans');
    expect(use).toMatchObject({ does: 'read', paths: expect.arrayContaining(['/']) });
  });

  it('[M3] new text is put in to the letter', () => {
    const input = { file_path: '/a', old_string: 'a', new_string: '$&$&' };
    const use = toolUse('Edit', input, '/plans');
    expect(use.does === 'write' ? use.after('xax') : undefined).toBe('x$&$&x');
  });
});
