import { say, text, thinking, tool, type Part, type ScriptedStep } from '../scenario.js';
import { inFolder, type DemoConversation } from './demo-conversation.js';
import {
  BENCH,
  EMPTY_LINES_TEST,
  FAST_IMPORT,
  FAST_PARSE_ROW,
  SLOW_IMPORT_FILES,
} from './slow-import-files.js';

const bash = (command: string, description: string): Part => tool('Bash', { command, description });
const reading =
  (words: string, file: string): ScriptedStep =>
  (call) =>
    say(text(words), tool('Read', { file_path: inFolder(call, file) }));
const writing =
  (words: string, file: string, content: string): ScriptedStep =>
  (call) =>
    say(text(words), tool('Write', { file_path: inFolder(call, file), content }));

const STEPS: readonly ScriptedStep[] = [
  say(
    thinking(
      'An import that takes minutes: most likely something grows with the square of the rows. I should measure before I change anything, and I must know what the tests hold down. First the lay of the land.',
    ),
    text('I start by looking at what is there, before I guess at a cause.'),
    bash('ls -R . | head -40', 'List the project'),
  ),
  reading(
    'A small project. The name says that `src/import.js` is where the rows come together, so I read that first.',
    'src/import.js',
  ),
  reading(
    'One thing stands out: `seen` is an array and `seen.includes(email)` walks through it for **every** row. With 100,000 rows that is five thousand million comparisons. Before I call it the culprit I want to see the parser as well, since it runs once for each row too.',
    'src/parse-row.js',
  ),
  say(
    text(
      'The parser is linear, though it builds each field one character at a time. So the suspicion stays with the check for duplicates.\n\nNow the tests, so that I know they pass *before* I touch anything.',
    ),
    bash('node --test 2>&1 | tail -12', 'Run the tests as they are'),
  ),
  writing(
    'All green. I write a small benchmark with three sizes. If the time grows sixteenfold where the rows grow fourfold, it is quadratic and we have it in black and white.',
    'bench.js',
    BENCH,
  ),
  say(
    text('Let me run it on the code as it is.'),
    bash('node bench.js', 'Measure the import before any change'),
  ),
  say(
    thinking(
      'The growth from 4,000 to 16,000 rows is far more than four times. That is the quadratic check. A Set keeps insertion semantics and the first row still wins. The behaviour for an undefined email stays the same too: includes and has both use SameValueZero.',
    ),
    text(
      'That is the picture of a quadratic loop: four times the rows take far more than four times as long.\n\nA `Set` answers the same question in constant time. One thing I checked: `Array.includes` and `Set.has` compare in the same way, so rows *without* an e-mail are treated as before.',
    ),
    bash('git status --short 2>/dev/null | head -5; wc -l src/*.js', 'See what is changed so far'),
  ),
  writing('Now the change itself, three lines.', 'src/import.js', FAST_IMPORT),
  say(
    text('The tests again.'),
    bash('node --test 2>&1 | tail -12', 'Run the tests after the change'),
  ),
  say(
    text('Still green. And the same measurement as before:'),
    bash('node bench.js', 'Measure with a set in place of the array'),
  ),
  writing(
    'The curve is straight now. What is left is the parser. Most lines have no quotes at all, and for those `split` does the whole job in native code. I add that short way at the top and leave the careful path as it is, so nothing changes for quoted fields.',
    'src/parse-row.js',
    FAST_PARSE_ROW,
  ),
  say(
    text('Tests first, then figures.'),
    bash('node --test 2>&1 | tail -12 && node bench.js', 'Run the tests and measure again'),
  ),
  writing(
    'Good. While reading I saw two cases that no test holds down: empty lines in the middle of a file, and a file with nothing but its head. Both work today. I write them down as tests, so that they still work after the next person has been here.',
    'test/empty-lines.test.js',
    EMPTY_LINES_TEST,
  ),
  say(text('And run everything once more.'), bash('node --test 2>&1 | tail -14', 'Run all tests')),
  say(
    text(
      'Last, I look at what a much larger file would cost in memory, since a set of a few hundred thousand e-mails is not free.',
    ),
    bash(
      `node --input-type=module -e "import { importCustomers } from './src/import.js'; const n = 300000; const csv = ['name,email,city', ...Array.from({ length: n }, (_, i) => 'P' + i + ',p' + i + '@example.org,Town')].join('\\n'); const began = performance.now(); const rows = importCustomers(csv).length; console.log(rows, 'rows', (performance.now() - began).toFixed(0), 'ms', Math.round(process.memoryUsage().rss / 1e6), 'MB')"`,
      'Import 300,000 rows and print time and memory',
    ),
  ),
  say(
    text(
      [
        'The import is fast again. What I found and did:',
        '',
        '| | before | after |',
        '|---|---|---|',
        '| check for duplicates | walks an array for every row | looks into a set |',
        '| lines without quotes | built one character at a time | one `split` |',
        '| growth with the rows | quadratic | linear |',
        '',
        '- **Nothing that it accepts has changed.** The first of two rows with the same e-mail still wins, quoted commas and doubled quotes are still read, and rows without an e-mail are treated as before.',
        '- There are two new tests for empty lines and empty files in `test/empty-lines.test.js`.',
        '- `bench.js` stays in the folder, so that you can see the figures on your own machine with `node bench.js`.',
        '',
        'If files can get larger than memory, the next step would be to read them as a stream. I have left that alone, because nobody asked for it yet.',
      ].join('\n'),
    ),
  ),
];

const FIRST =
  'Our customer import takes minutes for large CSV files. Find out why and make it faster, without changing what it accepts.';

/** An agent that keeps working for some minutes, with tools and figures that are real. */
export const slowImport: DemoConversation = {
  title: 'Speed up the customer import',
  folder: 'customer-import',
  files: SLOW_IMPORT_FILES,
  firstMessage: FIRST,
  turns: [{ on: FIRST, steps: STEPS }],
};
