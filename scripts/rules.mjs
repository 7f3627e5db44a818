// `npm run rules`: every rule of docs/rules.md with the tests whose titles start with it, and the rules without any.
// Fails on a title that names a rule which does not exist.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
/** Where the tests are; another folder than this repository for the proof that the script fails when it must. */
const TREE = process.argv[2] ?? ROOT;
const TESTED = ['apps', 'libs', 'test'];
const RULE_LINE = /^- \*\*([A-Za-z0-9.]+)\*\* (.+)$/gm;
const TITLE = /^((?:\[[^\]]+\])+)\s*(.*)$/s;

/** @returns {Map<string, string>} rule → its line */
const readRules = (text) =>
  new Map([...text.matchAll(RULE_LINE)].map(([, name, line]) => [name, line]));

/** The names in the brackets that a title begins with: `[C6] [C16] …` and `[C6, C16] …` name two. */
const rulesOf = (title) => {
  const brackets = TITLE.exec(title)?.[1] ?? '';
  return brackets.split(/[[\],]+/).flatMap((name) => name.trim() || []);
};

const calleeName = (call) => {
  let callee = call.expression;
  while (!ts.isIdentifier(callee)) {
    if (!ts.isPropertyAccessExpression(callee) && !ts.isCallExpression(callee)) return undefined;
    callee = callee.expression;
  }
  return callee.text;
};

const literalText = (node) => {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : undefined;
};

/** Titles of all tests in a source text; a test without a rule of its own has its `describe`'s. */
const titlesIn = (source) => {
  const titles = [];
  const visit = (node, rulesAround) => {
    let around = rulesAround;
    if (ts.isCallExpression(node)) {
      const title = literalText(node.arguments[0]);
      const name = title === undefined ? undefined : calleeName(node);
      const own = title === undefined ? [] : rulesOf(title);
      if (name === 'describe' && own.length > 0) around = own;
      if (name === 'it' || name === 'test')
        titles.push({ title, rules: own.length > 0 ? own : around });
    }
    ts.forEachChild(node, (child) => visit(child, around));
  };
  visit(ts.createSourceFile('spec.ts', source, ts.ScriptTarget.Latest), []);
  return titles;
};

const specFiles = (folder) =>
  (existsSync(folder) ? readdirSync(folder, { withFileTypes: true, recursive: true }) : [])
    .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(TREE, path).includes('planted'));

const collect = () => {
  const tests = [];
  for (const path of TESTED.flatMap((folder) => specFiles(join(TREE, folder))).sort()) {
    const file = relative(TREE, path);
    for (const found of titlesIn(readFileSync(path, 'utf8'))) tests.push({ ...found, file });
  }
  return tests;
};

const print = (rules, tests) => {
  const without = [];
  for (const [rule, line] of rules) {
    const proofs = tests.filter((test) => test.rules.includes(rule));
    if (proofs.length === 0) without.push(`  ${rule}  ${line}`);
    else console.log(`${rule}  ${line}`);
    for (const { title, file } of proofs) console.log(`    ${file}: ${title}`);
  }
  console.log(`\nRules without a test (${without.length}):\n${without.join('\n')}`);
};

const main = () => {
  const rules = readRules(readFileSync(join(ROOT, 'docs/rules.md'), 'utf8'));
  const tests = collect();
  print(rules, tests);
  const unknown = tests.flatMap(({ file, title, rules: named }) =>
    named.filter((rule) => !rules.has(rule)).map((rule) => `  ${file}: [${rule}] ${title}`),
  );
  const unnamed = tests.filter((test) => test.rules.length === 0);
  console.log(
    `\n${rules.size} rules, ${tests.length} tests, ${unnamed.length} of them name no rule.`,
  );
  for (const { file, title } of unnamed) console.log(`  ${file}: ${title}`);
  if (unknown.length === 0) return;
  console.error(
    `\nTitles that name a rule which docs/rules.md does not have:\n${unknown.join('\n')}`,
  );
  process.exitCode = 1;
};

main();
