import { describe, expect, it } from '@jest/globals';
import type { DriverHost } from '#provider-kit';
import { ClientProcess } from './process.js';

type Registry = DriverHost['processes'];

const full = (): never => {
  throw new Error('ENOSPC: no space left on device');
};

/** Starts a program whose registry does this; gives back what became of the start. */
function start(command: string, processes: Registry): { process?: ClientProcess; error?: unknown } {
  const made: { process?: ClientProcess; error?: unknown } = {};
  const starter = ClientProcess.starter({ processes }, 'a client', (process) => {
    made.process = process;
  });
  const env = { PATH: process.env['PATH'] };
  try {
    starter({ command, args: [], env, signal: new AbortController().signal });
  } catch (error) {
    made.error = error;
  }
  return made;
}

describe("a client's process", () => {
  it('[quality] is told to have ended though its end could not be written down', async () => {
    const { process: client } = start('true', { started: () => undefined, ended: full });
    expect(await client?.ended).toEqual({ code: 0, signal: null });
  });

  it('[link.7] does not live on where it could not be taken into the list', async () => {
    let ended: (pid: number) => void = () => undefined;
    const over = new Promise<number>((resolve) => (ended = resolve));
    let pid = 0;
    const { error } = start('cat', {
      started: (child) => {
        ({ pid } = child);
        full();
      },
      ended,
    });
    expect(error).toMatchObject({ message: 'ENOSPC: no space left on device' });
    expect(await over).toBe(pid);
  });
});
