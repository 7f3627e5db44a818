import { afterEach, beforeEach, expect, describe, it, jest } from '@jest/globals';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { ChildRegistry } from '../../apps/relay/src/processes/child-registry.js';
import { childrenFile, stopLeftBehind } from '../../apps/relay/src/processes/left-behind.js';
import { beginAfresh } from '../../apps/supervisor/src/begin-afresh.js';
import { ask, makeLaunchpad, type Launchpad } from '../support/launchpad.js';
import { isRunning } from '../support/typescript-process.js';

jest.setTimeout(60_000);

let pad: Launchpad;
beforeEach(async () => {
  pad = await makeLaunchpad();
});
afterEach(() => pad.clear());

const stopChildren = (relay: string) => stopLeftBehind(childrenFile(relay));

describe('a demo that begins afresh', () => {
  it('[demo] stops the PostgreSQL that a killed one left behind, so that its own stays', async () => {
    const held = pad.hold();
    const left = (await held.next()) as { pid: number };
    await held.kill('SIGKILL');

    await beginAfresh(pad.home, stopChildren);

    expect(await isRunning(left.pid)).toBe(false);
    const own = await pad.start();
    expect(await ask(own.owner, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it('[demo] stops the agents that a killed one left behind', async () => {
    const agent = pad.bystander();
    await agent.next();
    const pid = agent.child.pid ?? 0;
    const relay = path.join(pad.home, 'relay');
    await mkdir(relay);
    new ChildRegistry(childrenFile(relay)).started({ pid, group: false, what: 'an agent' });

    await beginAfresh(pad.home, stopChildren);

    expect(await isRunning(pid)).toBe(false);
  });

  it('[demo] keeps the installed clients and nothing else', async () => {
    for (const folder of ['clients', 'projects', 'hub']) await mkdir(path.join(pad.home, folder));

    await beginAfresh(pad.home, stopChildren);

    expect(await readdir(pad.home)).toEqual(['clients']);
  });
});
