// One jest, four projects: unit (no I/O beyond the process), medium (real PostgreSQL), e2e (hub, relay,
// real clients, browser), faults (kills). `npm run unit` runs the first; `npm test` runs them all.
const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironment: 'node',
  moduleNameMapper: {
    '^#(contracts|domain|provider-kit|claude-code|scripted-models|persistence)$':
      '<rootDir>/libs/$1/src/index.ts',
    '^#provider-kit/conformance$': '<rootDir>/libs/provider-kit/src/conformance/index.ts',
    '^#providers$': '<rootDir>/libs/providers/index.ts',
    '^#migrations$': '<rootDir>/migrations/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', decorators: true },
          transform: {
            legacyDecorator: true,
            decoratorMetadata: true,
            useDefineForClassFields: false,
          },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};
const project = (displayName, testMatch, more = {}) => ({
  ...shared,
  displayName,
  testMatch,
  ...more,
});

export default {
  projects: [
    project('unit', ['<rootDir>/{apps,libs}/**/*.spec.ts', '<rootDir>/test/unit/**/*.spec.ts']),
    project('medium', ['<rootDir>/test/medium/**/*.spec.ts']),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts']),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts']),
  ],
};
