import { HubInfo } from '#contracts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Who has the port and what to do about it, as well as it can be found out. */
export async function portTakenWords(port: number): Promise<string> {
  const other = await askHub(port);
  if (other !== undefined) {
    const what = other.demo ? `A demo of Coxswain ${other.version}` : `Coxswain ${other.version}`;
    return `${what} already answers at http://127.0.0.1:${port}. Use that one, or stop it first.`;
  }
  const holder = await holderOf(port);
  return (
    `Port ${port} is taken by ${holder ?? 'another program'}. Stop that, or choose another port: ` +
    `COXSWAIN_PORT=${port + 1} npm start`
  );
}

async function askHub(port: number): Promise<HubInfo | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/info`, {
      signal: AbortSignal.timeout(1_000),
    });
    return HubInfo.safeParse(await answer.json()).data;
  } catch {
    return undefined;
  }
}

/** What `lsof` says, where there is one: `node (process 4711)`. */
async function holderOf(port: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
    const pid = /^p(\d+)$/m.exec(stdout)?.[1];
    const name = /^c(.+)$/m.exec(stdout)?.[1];
    return pid === undefined || name === undefined ? undefined : `${name} (process ${pid})`;
  } catch {
    return undefined;
  }
}
