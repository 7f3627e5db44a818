import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct, type Product } from '../../support/product.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';

jest.setTimeout(120_000);

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let product: Product;
beforeEach(async () => {
  scratch = await makeScratchFolder();
  product = await startProduct({ home: scratch.path });
});
afterEach(async () => {
  await product.stop();
  await scratch.remove();
});

describe('a terminal that is closed', () => {
  it('[processes] stops everything in order, though nothing can be said any more', async () => {
    const { supervisor, home } = product;
    const exited = once(supervisor, 'exit');
    supervisor.stdout?.destroy();
    supervisor.stderr?.destroy();
    supervisor.kill('SIGHUP');
    expect(await exited).toEqual([0, null]);
    const postgres = join(home, 'coxswain/postgres');
    expect([existsSync(postgres), existsSync(join(postgres, 'data/postmaster.pid'))]).toEqual([
      true,
      false,
    ]);
  });
});
