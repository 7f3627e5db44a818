// Puts the hub and the supervisor into one file each, out of what tsc has built: 1,800 modules that Node would find, read
// and link one by one take three times as long to start and a sixth more memory. The relay stays as it is: it loads the
// clients of providers beside itself, and nobody waits for its start.
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './run-program.mjs';
import { main } from './terminal.mjs';

/** What the packages would load if it were installed, each inside a try of theirs or by an option that nobody sets. */
const NOT_INSTALLED = [
  ...['@nestjs/microservices', '@nestjs/microservices/*', 'class-transformer', 'class-validator'],
  ...['@google-cloud/spanner', '@sap/*', 'better-sqlite3', 'expo-sqlite', 'hdb-pool', 'ioredis'],
  ...['mongodb', 'mssql', 'mysql', 'mysql2', 'oracledb', 'react-native-sqlite-storage', 'redis'],
  ...['sql.js', 'sqlite3', 'typeorm-aurora-data-api-driver', 'pg-native', 'pg-query-stream'],
  ...['bufferutil', 'utf-8-validate', 'cloudflare:sockets'],
];

/** Loaded from its folder at its first use, if there is one: each hub would have a megabyte more to read at its start. */
const SELDOM_USED = ['@simplewebauthn/server'];

/** CommonJS packages ask for these by name; a module has none of them. */
const COMMONJS = `
import { createRequire as createRequireOfBundle } from 'node:module';
import { dirname as dirnameOfBundle } from 'node:path';
import { fileURLToPath as pathOfBundle } from 'node:url';
const require = createRequireOfBundle(import.meta.url);
const __filename = pathOfBundle(import.meta.url);
const __dirname = dirnameOfBundle(__filename);`;

await main(async () => {
  await build({
    entryPoints: {
      hub: join(ROOT, 'dist/apps/hub/src/main.js'),
      supervisor: join(ROOT, 'dist/apps/supervisor/src/main.js'),
    },
    outdir: join(ROOT, 'dist/run'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // The framework knows its parts by the names of their classes.
    keepNames: true,
    banner: { js: COMMONJS },
    external: [...NOT_INSTALLED, ...SELDOM_USED],
    logLevel: 'warning',
  });
});
