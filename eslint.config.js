import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import coxswain from './eslint-rules/index.js';

// Globs start with **/ so that the planted breaches in test/planted stand where the rule would meet them.
const CODE = ['**/*.{ts,js,mjs}', '**/*.svelte'];
const TYPESCRIPT = ['**/*.ts', '**/*.svelte'];
const TESTS = [
  '**/*.spec.ts',
  '**/test/{unit,medium,e2e,faults,support}/**/*.ts',
  '**/conformance/**/*.ts',
];

const TOO_MANY_PARAMETERS =
  ':matches(FunctionDeclaration, ArrowFunctionExpression, :not(MethodDefinition[kind="constructor"]) > FunctionExpression, TSDeclareFunction, TSEmptyBodyFunctionExpression, TSMethodSignature)[params.length>3]';
const PARAMETERS = [
  { selector: TOO_MANY_PARAMETERS, message: 'At most three parameters; then one object.' },
  {
    selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>5]',
    message: 'At most five collaborators.',
  },
];
const NO_CLOCK = 'The domain is pure: time comes in as data.';
const NO_WORLD = 'The domain is pure: no I/O, no timers, no randomness, no process.';
const READS_CLOCK = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: NO_CLOCK },
  { selector: 'CallExpression[callee.name="Date"]', message: NO_CLOCK },
];
const WORLD = [
  ...[
    'process',
    'fetch',
    'crypto',
    'performance',
    'console',
    'globalThis',
    'global',
    'navigator',
    'Buffer',
  ],
  ...[
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'WebSocket',
    'XMLHttpRequest',
    'EventSource',
  ],
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      '.cache/',
      'test-results/',
      'test/planted/',
      '**/fixtures/**/*.js',
    ],
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  svelte.configs.recommended,
  {
    files: CODE,
    plugins: { coxswain },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { globals: { ...globals.node } },
    rules: {
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', 50],
      complexity: ['error', 10],
      'no-restricted-syntax': ['error', ...PARAMETERS],
      'coxswain/file-names': 'error',
      'coxswain/no-provider-names': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'anywhere' }],
      'no-else-return': 'error',
      'no-param-reassign': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
      'preserve-caught-error': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
      ],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false } },
      ],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
    },
  },
  {
    // Components are linted without types: with them the whole program is made anew for each, which takes minutes.
    // What decides in the dashboard stands in .ts files, and svelte-check has the types of components.
    files: TYPESCRIPT,
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, args: 'after-used' },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      // Contracts are a schema and a type of the same name.
      '@typescript-eslint/no-redeclare': 'off',
      // A Nest module is an empty class with a decorator.
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts', '**/apps/dashboard/**/*.ts'],
    languageOptions: {
      globals: { ...globals.browser },
      parserOptions: { parser: tseslint.parser },
    },
  },
  {
    files: ['**/*.svelte'],
    rules: { 'coxswain/no-literal-text': 'error', 'svelte/no-at-html-tags': 'error' },
  },
  {
    files: ['**/libs/domain/**/*.ts'],
    ignores: TESTS,
    rules: {
      'no-restricted-globals': ['error', ...WORLD.map((name) => ({ name, message: NO_WORLD }))],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: NO_CLOCK },
        { object: 'Math', property: 'random', message: NO_WORLD },
      ],
      'no-restricted-syntax': ['error', ...PARAMETERS, ...READS_CLOCK],
    },
  },
  // A provider's own folder is where its name may decide.
  { files: ['**/libs/providers/**/*.ts'], rules: { 'coxswain/no-provider-names': 'off' } },
  {
    // A `describe` is as long as its subject has facts; each fact stays short by habit.
    files: TESTS,
    rules: { 'max-lines-per-function': 'off', 'coxswain/no-provider-names': 'off' },
  },
  // One statement of SQL after the other: cutting an `up` in pieces makes it harder to read.
  { files: ['**/migrations/*.ts'], rules: { 'max-lines-per-function': 'off' } },
  // Programs that talk to a terminal.
  {
    files: [
      '**/scripts/**',
      '**/apps/supervisor/src/terminal.ts',
      '**/test/bench/**',
      '**/test/support/**',
    ],
    rules: { 'no-console': 'off' },
  },
  prettier,
  svelte.configs.prettier,
);
