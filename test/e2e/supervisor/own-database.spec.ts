import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#persistence';
import { startProduct, type Product } from '../../support/product.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';

jest.setTimeout(180_000);

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let postgres: EmbeddedPostgres;
let product: Product | undefined;
beforeEach(async () => {
  scratch = await makeScratchFolder();
  postgres = await startEmbeddedPostgres({ home: join(scratch.path, 'own'), durable: false });
});
afterEach(async () => {
  await product?.stop();
  await postgres.stop();
  await scratch.remove();
});

describe('a PostgreSQL of one’s own', () => {
  it('[stack] is used by DATABASE_URL, with what PG* add to it, and no other is started', async () => {
    const { user, password, database, host } = postgres.owner;
    product = await startProduct({
      home: scratch.path,
      environment: {
        DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`,
        PGPASSWORD: password,
      },
    });
    const ready = await fetch(`${product.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(existsSync(join(scratch.path, 'coxswain/postgres'))).toBe(false);
  });
});
