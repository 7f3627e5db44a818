const IMPORT = `import { parseRow } from './parse-row.js';

/** Reads customers from CSV text; later rows with the same e-mail are left out. */
export function importCustomers(csv) {
  const seen = [];
  const customers = [];
  for (const line of csv.split('\\n').slice(1)) {
    if (line.trim() === '') continue;
    const [name, email, city] = parseRow(line);
    if (seen.includes(email)) continue;
    seen.push(email);
    customers.push({ name, email, city });
  }
  return customers;
}
`;

/** The same with a set, as the agent rewrites it. */
export const FAST_IMPORT = IMPORT.replace('const seen = [];', 'const seen = new Set();')
  .replace('seen.includes(email)', 'seen.has(email)')
  .replace('seen.push(email)', 'seen.add(email)');

const PARSE_ROW = `/** Splits one CSV line into its fields; quotes protect commas, two quotes are one. */
export function parseRow(line) {
  const fields = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (quoted && c === '"' && line[i + 1] === '"') {
      field = field + '"';
      i++;
    } else if (c === '"') {
      quoted = !quoted;
    } else if (c === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field = field + c;
    }
  }
  fields.push(field);
  return fields;
}
`;

/** With a short way for lines without quotes. */
export const FAST_PARSE_ROW = PARSE_ROW.replace(
  'export function parseRow(line) {\n',
  `export function parseRow(line) {\n  if (!line.includes('"')) return line.split(',');\n`,
);

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCustomers } from '../src/import.js';

const HEAD = 'name,email,city\\n';

test('reads a row', () => {
  assert.deepEqual(importCustomers(HEAD + 'Ada,ada@example.org,London'), [
    { name: 'Ada', email: 'ada@example.org', city: 'London' },
  ]);
});

test('keeps the first of two with the same e-mail', () => {
  const both = 'Ada,ada@example.org,London\\nAda L.,ada@example.org,Paris';
  assert.deepEqual(importCustomers(HEAD + both).map((row) => row.city), ['London']);
});

test('reads commas and quotes inside quotes', () => {
  const [row] = importCustomers(HEAD + '"Lovelace, ""Ada""",ada@example.org,London');
  assert.equal(row.name, 'Lovelace, "Ada"');
});
`;

export const BENCH = `import { importCustomers } from './src/import.js';

for (const rows of [1_000, 4_000, 16_000]) {
  const lines = Array.from({ length: rows }, (_, i) => \`Person \${i},person\${i}@example.org,Town \${i % 90}\`);
  const csv = ['name,email,city', ...lines].join('\\n');
  const began = performance.now();
  importCustomers(csv);
  console.log(\`\${String(rows).padStart(6)} rows  \${(performance.now() - began).toFixed(0).padStart(6)} ms\`);
}
`;

export const EMPTY_LINES_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCustomers } from '../src/import.js';

test('empty lines and a last line break are no customers', () => {
  const csv = 'name,email,city\\n\\nAda,ada@example.org,London\\n\\n';
  assert.equal(importCustomers(csv).length, 1);
});

test('a file with nothing but its head has no customers', () => {
  assert.deepEqual(importCustomers('name,email,city\\n'), []);
});
`;

/** A small importer whose check for duplicates is quadratic. */
export const SLOW_IMPORT_FILES: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "customer-import",\n  "private": true,\n  "type": "module"\n}\n',
  'README.md': '# Customer import\n\nReads customers from CSV. Run the tests with `node --test`.\n',
  'src/import.js': IMPORT,
  'src/parse-row.js': PARSE_ROW,
  'test/import.test.js': TEST,
};
