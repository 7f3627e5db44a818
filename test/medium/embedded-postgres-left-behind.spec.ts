import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readEmbeddedConnection } from '#persistence';
import { ask, makeLaunchpad, type Launchpad } from '../support/launchpad.js';
import { isRunning } from '../support/typescript-process.js';

jest.setTimeout(60_000);

let pad: Launchpad;

beforeEach(async () => {
  pad = await makeLaunchpad();
});
afterEach(() => pad.clear());

describe('[stack] a server that does not come to take connections', () => {
  it('[stack] is stopped when it is given up', async () => {
    const first = await pad.start();
    await first.stop();
    await expect(pad.start(pad.home, { readyWithinMs: 0 })).rejects.toThrow('not ready within');
    const record = await readFile(path.join(pad.home, 'postgres', 'server.json'), 'utf8');
    const { server } = JSON.parse(record) as { server: { pid: number } };
    expect(await isRunning(server.pid)).toBe(false);
  });
});

describe('[stack] a server that a killed hub left behind', () => {
  it('[stack] outlives the kill and is stopped by the next start, with its data', async () => {
    const held = pad.hold();
    const left = (await held.next()) as { pid: number };
    await ask(
      await readEmbeddedConnection(pad.home, 'owner'),
      'create table kept as select 7 as n',
    );
    await held.kill('SIGKILL');
    expect(await isRunning(left.pid)).toBe(true);

    const next = await pad.start();

    expect(await isRunning(left.pid)).toBe(false);
    expect(await ask(next.owner, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('[stack] is recognised by its command line where nobody had time to write it down', async () => {
    const held = pad.hold();
    const left = (await held.next()) as { pid: number };
    await held.kill('SIGKILL');
    await writeFile(path.join(pad.home, 'postgres', 'server.json'), '{"half":');

    await pad.start();

    expect(await isRunning(left.pid)).toBe(false);
  });

  it('[stack] is not touched while the process that started it lives', async () => {
    const held = pad.hold();
    const running = (await held.next()) as { pid: number };

    await expect(pad.start()).rejects.toThrow(/already runs with this folder \(process \d+\)/);

    expect(await isRunning(running.pid)).toBe(true);
  });

  it('[stack] that was killed too is recovered from its log', async () => {
    const held = pad.hold();
    const left = (await held.next()) as { pid: number };
    await ask(
      await readEmbeddedConnection(pad.home, 'owner'),
      'create table kept as select 7 as n',
    );
    await held.kill('SIGKILL');
    process.kill(left.pid, 'SIGKILL');

    const next = await pad.start();

    expect(await ask(next.owner, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('[stack] whose number another program has now is not taken for it', async () => {
    const first = await pad.start();
    const lockFile = path.join(pad.home, 'postgres', 'data', 'postmaster.pid');
    const lock = await readFile(lockFile, 'utf8');
    await first.stop();
    const bystander = pad.bystander();
    await bystander.next();
    await writeFile(lockFile, lock.replace(/^\d+/, String(bystander.child.pid)));

    const next = await pad.start();

    expect(await ask(next.owner, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(bystander.child.exitCode).toBeNull();
  });
});
