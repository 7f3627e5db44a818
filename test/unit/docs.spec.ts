import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
];
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** The targets of markdown links and images within the repository. */
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target));

/** The scripts that a text tells to run: `npm start`, `npm test`, `npm run x`. */
const commandsIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:run (?:-s )?([a-z:]+)|(start|test)\b)/g)].map(
    ([, named, short]) => named ?? short ?? '',
  );

/** What is told to be a variable of ours. */
const variablesIn = (text: string) => [
  ...new Set(text.match(/\b(?:COXSWAIN|DATABASE)_[A-Z_]+\b/g) ?? []),
];

const sourceTexts = () =>
  ['apps', 'libs', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  );

describe.each(documents)('%s', (document) => {
  const text = read(document);

  it('[docs] links only to what exists', () => {
    const broken = linksIn(text).filter(
      (target) => !existsSync(join(root, dirname(document), target)),
    );
    expect(broken).toEqual([]);
  });

  it('[docs] names only commands that exist', () => {
    expect(commandsIn(text).filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('[docs] names only files and folders that exist', () => {
    const paths = [
      ...text.matchAll(/`((?:apps|libs|test|docs|migrations|scripts)\/[\w./-]*)`/g),
    ].map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('[docs] names only variables that something reads', () => {
    const sources = sourceTexts();
    const unread = variablesIn(text).filter(
      (name) => !sources.some((source) => source.includes(name)),
    );
    expect(unread).toEqual([]);
  });
});

describe('README.md', () => {
  it('[docs] tells every command that a person may run', () => {
    const parts = new Set(['format', 'format:fix', 'lint', 'boundaries', 'dead', 'types']);
    const told = new Set(commandsIn(read('README.md')));
    expect(Object.keys(scripts).filter((name) => !told.has(name) && !parts.has(name))).toEqual([]);
  });
});

it('[docs] the check of links finds a broken one', () => {
  expect(linksIn('[a](docs/nowhere.md) [b](https://x.example) [c](#here)')).toEqual([
    'docs/nowhere.md',
  ]);
});
