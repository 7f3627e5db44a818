import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeScratchFolder } from '../../support/scratch-folder.js';
import { scriptedSupervisor } from '../../support/supervised-parts.js';

let scratch: Awaited<ReturnType<typeof makeScratchFolder>>;
let running: ReturnType<typeof scriptedSupervisor> | undefined;

const start = async (options?: Parameters<typeof scriptedSupervisor>[1]) => {
  running = scriptedSupervisor(scratch.path, options);
  await running.supervisor.start();
  return running;
};
const ask = async (url: string) => (await fetch(url, { headers: { connection: 'close' } })).text();

beforeEach(async () => {
  scratch = await makeScratchFolder();
});
afterEach(async () => {
  await running?.supervisor.stop();
  running = undefined;
  await scratch.remove();
});

describe('a hub behind the front door', () => {
  it('[processes] answers what comes in at the port that the supervisor holds', async () => {
    const { supervisor, url } = await start();
    expect(await ask(url())).toBe(String(supervisor.pids.hub));
  });

  it('[processes] is started again when it is killed, and that is said in plain words', async () => {
    const { supervisor, terminal, url } = await start();
    const first = supervisor.pids.hub ?? 0;
    process.kill(first, 'SIGKILL');
    await terminal.until(/^The hub stopped \(signal SIGKILL\); starting it again\./);
    const second = Number(await ask(url()));
    expect(second).not.toBe(first);
    expect(second).toBe(supervisor.pids.hub);
  });

  it('[processes] that is away makes nobody fail: who connects meanwhile is answered by the next one', async () => {
    let restart: () => void = () => undefined;
    const { supervisor, terminal, url, frontDoor } = await start({
      wait: () => new Promise<void>((resolve) => (restart = resolve)),
    });
    process.kill(supervisor.pids.hub ?? 0, 'SIGKILL');
    await terminal.until(/^The hub stopped/);
    const answers = Promise.all(Array.from({ length: 20 }, () => ask(url())));
    while (frontDoor.waiting < 20) await nextTurn();
    restart();
    expect(new Set(await answers)).toEqual(new Set([String(supervisor.pids.hub)]));
  });

  it('[processes] that never gets ready fails the start with its own words', async () => {
    const made = scriptedSupervisor(scratch.path, {
      hubFails: 'The key is gone.',
      wait: async () => undefined,
    });
    await expect(made.supervisor.start()).rejects.toThrow(
      /^The hub does not start \(The key is gone\.\)/,
    );
    expect(made.supervisor.pids).toEqual({ hub: undefined, relay: undefined });
  });
});

it('[processes] a database that does not start fails the start with its own words and leaves nothing running', async () => {
  const made = scriptedSupervisor(scratch.path, { databaseFails: new Error('The disk is full.') });
  await expect(made.supervisor.start()).rejects.toThrow('The disk is full.');
  expect(made.supervisor.pids).toEqual({ hub: undefined, relay: undefined });
});

describe('stopping', () => {
  it('[processes] goes from the relay over the hub to the database', async () => {
    const { supervisor, diary } = await start();
    while (!diary().some((line) => line.startsWith('relay told'))) await nextTurn();
    await supervisor.stop();
    expect(diary().slice(-3)).toEqual(['relay stops', 'hub stops', 'database stops']);
  });

  it('[processes] closes the port', async () => {
    const { supervisor, url } = await start();
    const address = url();
    await supervisor.stop();
    await expect(ask(address)).rejects.toThrow();
  });
});
