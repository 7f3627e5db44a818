import { startEmbeddedPostgres } from '#persistence';
import path from 'node:path';
import { startProduct } from '../support/product.js';
import { makeScratchFolder } from '../support/scratch-folder.js';
import { round, type BenchRow } from './measured.js';

const TIMES = 3;

/** From the start of the supervisor to the page, everything being there already, against PostgreSQL alone. */
export async function measureStartToPage(): Promise<BenchRow> {
  const scratch = await makeScratchFolder();
  try {
    // The first start makes the database.
    await (await startProduct({ home: scratch.path, args: ['--sign-in'] })).stop();
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < TIMES; turn += 1) {
      bare.push(await startPostgres(path.join(scratch.path, 'coxswain')));
      ours.push(await startWhole(scratch.path));
    }
    const [page, postgres] = [median(ours), median(bare)];
    return {
      what: 'second start, from the command to the page',
      measured: `${round(page / 1000)} s`,
      baseline: `${round(postgres / 1000)} s, PostgreSQL alone`,
      ratio: round((page - postgres) / 3_000),
      aim: '<= 1 (3 s above it)',
    };
  } finally {
    await scratch.remove();
  }
}

async function startPostgres(home: string): Promise<number> {
  const began = performance.now();
  const server = await startEmbeddedPostgres({ home });
  const took = performance.now() - began;
  await server.stop();
  return took;
}

async function startWhole(home: string): Promise<number> {
  const began = performance.now();
  const product = await startProduct({ home, args: ['--sign-in'] });
  const page = await fetch(product.url);
  await page.text();
  const took = performance.now() - began;
  await product.stop();
  return took;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
