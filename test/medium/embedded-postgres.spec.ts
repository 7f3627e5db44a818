import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { readEmbeddedConnection } from '#persistence';
import { ask, makeLaunchpad, type Launchpad } from '../support/launchpad.js';
import { isRunning } from '../support/typescript-process.js';

jest.setTimeout(60_000);

let pad: Launchpad;

beforeEach(async () => {
  pad = await makeLaunchpad();
});
afterEach(() => pad.clear());

describe('[stack] the embedded PostgreSQL', () => {
  it('[stack] is PostgreSQL 18 and waits for the disk at each commit', async () => {
    const { owner } = await pad.start(pad.home, { durable: true });

    const [row] = await ask(
      owner,
      "select current_setting('server_version_num')::int / 10000 as major, current_setting('synchronous_commit') as sync, current_setting('fsync') as fsync",
    );

    expect(row).toEqual({ major: 18, sync: 'on', fsync: 'on' });
  });

  it('[stack] listens on a socket in a folder that only its owner may enter, and on no port', async () => {
    const { owner } = await pad.start();

    const [row] = await ask(owner, "select current_setting('listen_addresses') as addresses");
    const mode = (await stat(owner.host)).mode & 0o777;

    expect({ row, mode }).toEqual({ row: { addresses: '' }, mode: 0o700 });
  });

  it('[stack] moves its socket to a short path where the home is too long for one', async () => {
    const home = path.join(pad.home, 'a-folder-with-a-very-long-name'.repeat(4));

    const { owner } = await pad.start(home);

    expect(Buffer.byteLength(path.join(owner.host, '.s.PGSQL.5432'))).toBeLessThan(100);
    expect((await stat(owner.host)).mode & 0o777).toBe(0o700);
  });

  it('[security] lets nobody in without a password', async () => {
    const { owner } = await pad.start();

    await expect(ask({ ...owner, password: 'wrong' }, 'select 1')).rejects.toThrow(
      /authentication failed/,
    );
  });

  it('[security] keeps everything from other users', async () => {
    await chmod(pad.home, 0o755);

    await pad.start();

    const secrets = (await readdir(path.join(pad.home, 'postgres'))).filter((name) =>
      name.endsWith('.password'),
    );
    const modes = await Promise.all(
      ['', 'postgres', ...secrets.map((name) => `postgres/${name}`)].map(
        async (name) => (await stat(path.join(pad.home, name))).mode & 0o077,
      ),
    );
    expect({ secrets: secrets.length, modes }).toEqual({ secrets: 3, modes: [0, 0, 0, 0, 0] });
  });

  it('[security] gives the application a role that can make nothing', async () => {
    const { app } = await pad.start();

    await expect(ask(app, 'create table mine (id int)')).rejects.toThrow(/permission denied/);
  });

  it('[stack] tells another process of the same home how to connect', async () => {
    await pad.start();

    const [row] = await ask(
      await readEmbeddedConnection(pad.home, 'app'),
      'select current_user as me',
    );

    expect(row).toEqual({ me: 'coxswain_app' });
  });

  it('[stack] keeps what was written when it is stopped and started again', async () => {
    const first = await pad.start();
    await ask(first.owner, 'create table kept as select 7 as n');
    await first.stop();

    const second = await pad.start();

    expect(await ask(second.owner, 'select n from kept')).toEqual([{ n: 7 }]);
  });

  it('[stack] is gone when stop has resolved, with a client still connected', async () => {
    const server = await pad.start();
    const client = new pg.Client(server.owner);
    client.on('error', () => undefined);
    await client.connect();

    await server.stop();

    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await isRunning(server.pid)).toBe(false);
  });
});

describe('[stack] a data folder that is not as it must be', () => {
  it('[stack] of another version is refused in plain words', async () => {
    await (await pad.start()).stop();
    await writeFile(path.join(pad.home, 'postgres', 'data', 'PG_VERSION'), '17\n');

    await expect(pad.start()).rejects.toThrow(
      /made by PostgreSQL 17, and this Coxswain brings PostgreSQL 18/,
    );
  });

  it('[stack] with something else in it is refused and left alone', async () => {
    const data = path.join(pad.home, 'postgres', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(path.join(data, 'holiday.jpg'), 'x');

    await expect(pad.start()).rejects.toThrow(/holds no PostgreSQL database/);

    expect(await readdir(data)).toEqual(['holiday.jpg']);
  });

  it('[stack] whose passwords are lost is refused in plain words', async () => {
    await (await pad.start()).stop();
    await writeFile(path.join(pad.home, 'postgres', 'app.password'), '');

    await expect(pad.start()).rejects.toThrow(/app\.password is missing or empty/);
  });
});
