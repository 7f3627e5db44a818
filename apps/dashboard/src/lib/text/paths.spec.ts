import { describe, expect, it } from '@jest/globals';
import { splitPath, withinFolder } from './paths.js';

describe('a path in a conversation', () => {
  it('[D3] is told from the conversation’s folder', () => {
    expect(withinFolder('/home/me/shop/src/a.ts', '/home/me/shop')).toBe('src/a.ts');
    expect(withinFolder('C:\\shop\\src\\a.ts', 'C:\\shop')).toBe('src\\a.ts');
  });

  it.each(['/home/me/shopping/a.ts', '/etc/hosts', 'npm test', '/home/me/shop'])(
    '[D3] stays whole where it lies elsewhere: %s',
    (path) => {
      expect(withinFolder(path, '/home/me/shop')).toBe(path);
    },
  );

  it('[D3] of a program that is run stays one', () => {
    expect(withinFolder('/home/me/shop/run.sh --all', '/home/me/shop')).toBe('./run.sh --all');
  });

  it.each([
    ['/home/me/shop', '/home/me', '/shop'],
    ['/home/me/shop/', '/home/me', '/shop/'],
    ['src/price-cache.js', 'src', '/price-cache.js'],
    ['C:\\Users\\me', 'C:\\Users', '\\me'],
    ['/', '', '/'],
    ['/etc', '', '/etc'],
    ['a.ts', '', 'a.ts'],
  ])('[D3] keeps its last part when it is cut: %s', (path, head, tail) => {
    expect(splitPath(path)).toEqual({ head, tail });
  });
});
