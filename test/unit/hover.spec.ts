import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseCss, type AST } from 'svelte/compiler';

const source = join(import.meta.dirname, '../../apps/dashboard/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const styled = files.filter((name) => /\.(?:svelte|css)$/.test(name));

type Node = { readonly type?: string; readonly [key: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The lines of rules for a pointer that hovers which a finger gets as well. */
function unguarded(node: unknown, guarded: boolean, css: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => unguarded(one, guarded, css));
  if (!isNode(node)) return [];
  if (node.type === 'PseudoClassSelector' && node['name'] === 'hover' && !guarded) {
    return [css.slice(0, Number(node['start'])).split('\n').at(-1) ?? ''];
  }
  const guards = node.type === 'Atrule' && node['prelude'] === '(hover: hover)';
  return Object.values(node).flatMap((value) => unguarded(value, guarded || guards, css));
}

const stylesOf = (
  name: string,
  text: string,
): AST.CSS.StyleSheetBase | AST.CSS.StyleSheet | null =>
  name.endsWith('.css') ? parseCss(text) : parse(text, { modern: true }).css;

describe('what a pointer that hovers changes', () => {
  it('[D1] is left off for a finger, which would leave it behind as if it had chosen', () => {
    const found = styled.flatMap((name) => {
      const text = readFileSync(join(source, name), 'utf8');
      return unguarded(stylesOf(name, text), false, text).map((line) => `${name}: ${line.trim()}`);
    });
    expect(found).toEqual([]);
  });
});
