import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DeviceClient } from '../../support/device-client.js';
import { startProduct, type Product } from '../../support/product.js';
import { makeScratchFolder } from '../../support/scratch-folder.js';

jest.setTimeout(120_000);

const SUPERVISOR = fileURLToPath(new URL('../../../dist/run/supervisor.mjs', import.meta.url));
let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let product: Product;

beforeAll(async () => {
  scratch = await makeScratchFolder();
  product = await startProduct({ home: scratch.path });
});
afterAll(async () => {
  await product.stop();
  await scratch.remove();
});

/** The supervisor's program once more, on the home of the one that runs. */
const once = (...args: string[]) =>
  promisify(execFile)(process.execPath, [SUPERVISOR, ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: scratch.path,
      COXSWAIN_HOME: `${scratch.path}/coxswain`,
      COXSWAIN_PORT: new URL(product.url).port,
    },
  });

describe('who lost the only device', () => {
  it('[S1] gets a link that signs in from the Coxswain that runs, on its machine', async () => {
    const { stdout } = await once('--sign-in');

    const secret = /#\/sign-in\/([\w-]+)/.exec(stdout)?.[1] ?? '';
    const device = new DeviceClient(product.url, 'Found again');
    expect((await device.signIn(secret)).status).toBe(200);
    device.close();
  });

  it('[processes] without asking for one is told that Coxswain runs already', async () => {
    await expect(once()).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Coxswain already runs with'),
    });
  });
});
