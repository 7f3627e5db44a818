// Who may import whom. Every rule has a planted breach of its own in test/planted/boundaries/<rule>/, laid out like
// the tree; that is why a path may begin with the plant's folder. test/unit/boundaries.spec.ts proves that each fires.
const PLANT = '(?:^|^test/planted/boundaries/[a-z-]+/)';
const OURS = `${PLANT}(?:apps|libs|migrations|test)/(?!planted)`;
const SPEC = '\\.spec\\.ts$';
const TESTS = [SPEC, `${PLANT}test/(?!planted)`, `${PLANT}libs/provider-kit/src/conformance/`];

/** `from` may import these folders of ours and no other. */
const onlyImports = (name, from, allowed) => ({
  name,
  severity: 'error',
  comment: `${from} imports of ours only ${allowed.join(', ')}`,
  from: { path: `${PLANT}${from}/`, pathNot: TESTS },
  to: { path: OURS, pathNot: [from, ...allowed].map((folder) => `${PLANT}${folder}/`) },
});

export default {
  forbidden: [
    onlyImports('contracts-import-nothing', 'libs/contracts', []),
    onlyImports('domain-imports-contracts', 'libs/domain', ['libs/contracts']),
    onlyImports('provider-kit-imports-contracts', 'libs/provider-kit', ['libs/contracts']),
    onlyImports('providers-import-their-kit', 'libs/providers', [
      'libs/claude-code',
      'libs/provider-kit',
      'libs/contracts',
    ]),
    onlyImports('claude-code-imports-the-kit', 'libs/claude-code', [
      'libs/provider-kit',
      'libs/contracts',
    ]),
    onlyImports('scripted-models-import-nothing', 'libs/scripted-models', []),
    onlyImports('persistence-implements-the-domain', 'libs/persistence', [
      'libs/domain',
      'libs/contracts',
      'migrations',
    ]),
    onlyImports('migrations-import-nothing', 'migrations', []),
    onlyImports('hub-knows-no-provider', 'apps/hub', [
      'libs/contracts',
      'libs/domain',
      'libs/persistence',
      'migrations',
    ]),
    onlyImports('relay-knows-no-database', 'apps/relay', [
      'libs/contracts',
      'libs/domain',
      'libs/provider-kit',
      'libs/providers',
    ]),
    onlyImports('dashboard-knows-contracts', 'apps/dashboard', ['libs/contracts', 'libs/domain']),
    onlyImports('supervisor-starts-processes', 'apps/supervisor', [
      'libs/contracts',
      'libs/persistence',
      'migrations',
    ]),
    {
      name: 'no-provider-to-provider',
      severity: 'error',
      comment:
        'What two providers share belongs to the kit (or to a provider they both extend by data).',
      from: { path: `${PLANT}libs/providers/([^/]+)/`, pathNot: SPEC },
      to: { path: `${PLANT}libs/providers/[^/]+/`, pathNot: `${PLANT}libs/providers/$1/` },
    },
    {
      name: 'no-lib-to-app',
      severity: 'error',
      comment: 'A lib never knows who uses it, not even in its tests.',
      from: { path: `${PLANT}(?:libs|migrations)/` },
      to: { path: `${PLANT}apps/` },
    },
    {
      name: 'no-app-to-app',
      severity: 'error',
      comment: 'Two processes share contracts, not code.',
      from: { path: `${PLANT}apps/([^/]+)/` },
      to: { path: `${PLANT}apps/`, pathNot: `${PLANT}apps/$1/` },
    },
    {
      name: 'no-deep-import',
      severity: 'error',
      comment:
        "A lib is used through its index; what the index doesn't export is the lib's own business.",
      from: { path: `${PLANT}(?:(apps|libs)/([^/]+)|migrations|test(?!/planted))/` },
      to: {
        path: `${PLANT}libs/[^/]+/`,
        pathNot: [`${PLANT}$1/$2/`, `${PLANT}libs/[^/]+/(?:src/)?(?:conformance/)?index\\.ts$`],
      },
    },
    {
      name: 'no-production-import-of-tests',
      severity: 'error',
      comment: 'What the product needs does not live under test/ or in a test.',
      from: { path: `${PLANT}(?:apps|libs|migrations)/`, pathNot: TESTS },
      to: {
        path: [`${PLANT}test/(?!planted)`, SPEC, `${PLANT}libs/provider-kit/src/conformance/`],
      },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Neither half of a cycle can be understood or tested alone.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'domain-uses-no-package',
      severity: 'error',
      comment: 'The domain is pure functions and tables: no package, nothing of Node.',
      from: { path: `${PLANT}libs/domain/`, pathNot: SPEC },
      to: {
        dependencyTypes: [
          'core',
          'npm',
          'npm-dev',
          'npm-optional',
          'npm-peer',
          'npm-no-pkg',
          'npm-unknown',
        ],
      },
    },
    {
      name: 'contracts-use-zod-only',
      severity: 'error',
      comment: 'Contracts run in the hub, the relay and the page alike.',
      from: { path: `${PLANT}libs/contracts/`, pathNot: SPEC },
      to: {
        dependencyTypes: [
          'core',
          'npm',
          'npm-dev',
          'npm-optional',
          'npm-peer',
          'npm-no-pkg',
          'npm-unknown',
        ],
        pathNot: 'node_modules/zod/',
      },
    },
    {
      name: 'dashboard-uses-nothing-of-node',
      severity: 'error',
      comment: 'The dashboard runs in a browser.',
      from: { path: `${PLANT}apps/dashboard/src/`, pathNot: SPEC },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-dependency-in-production',
      severity: 'error',
      comment:
        'What hub, relay and supervisor need at run time is a dependency. (The dashboard is bundled.)',
      from: { path: `${PLANT}(?:apps/(?:hub|relay|supervisor)|libs|migrations)/`, pathNot: TESTS },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['source', 'svelte', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.mjs', '.svelte', '.json', '.d.ts'],
    },
  },
};
