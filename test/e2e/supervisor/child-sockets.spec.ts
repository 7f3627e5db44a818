import { afterEach, describe, expect, it } from '@jest/globals';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChildSockets } from '../../../apps/supervisor/src/child-sockets.js';

const HUB = fileURLToPath(new URL('../../support/programs/scripted-hub.mjs', import.meta.url));
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function startHub(): Promise<ChildProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'coxswain-test-'));
  const env = { ...process.env, TEST_DIARY: path.join(folder, 'diary'), TEST_NAME: 'hub' };
  const hub = fork(HUB, [], { env, execArgv: [] });
  cleanUps.push(
    () => hub.kill('SIGKILL'),
    () => rm(folder, { recursive: true, force: true }),
  );
  hub.send({ kind: 'config' });
  await once(hub, 'message');
  return hub;
}

/** A connection that was accepted and not read from, as the front door has them. */
async function accepted(): Promise<{ client: Socket; socket: Socket }> {
  const server: Server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  cleanUps.push(
    () => client.destroy(),
    () => server.close(),
  );
  return { client, socket };
}

describe('sockets on their way to a hub', () => {
  it('[processes] a hub that takes a socket answers on it', async () => {
    const hub = await startHub();
    const { client, socket } = await accepted();
    new ChildSockets(hub).take(socket, () => undefined);
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(answer.toString()).toContain(String(hub.pid));
  });

  it('[processes] a socket that a hub was killed over comes back unread', async () => {
    const hub = await startHub();
    const { client, socket } = await accepted();
    hub.kill('SIGSTOP');
    const back = new Promise<Socket>((resolve) => {
      new ChildSockets(hub).take(socket, () => resolve(socket));
    });
    hub.kill('SIGKILL');
    const returned = await back;
    client.write('still here');
    returned.resume();
    const [said] = (await once(returned, 'data')) as [Buffer];
    expect(said.toString()).toBe('still here');
  });
});
