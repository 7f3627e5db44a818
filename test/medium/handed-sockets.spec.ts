import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import {
  connect,
  createServer,
  type AddressInfo,
  type Server as Door,
  type Socket,
} from 'node:net';
import { handedSockets } from '../../apps/hub/src/platform/handed-sockets.js';

let server: Server;
let door: Door;
const clients: Socket[] = [];

beforeEach(() => {
  server = createHttpServer((_request, response) => response.end('served'));
  // A fraction of a second in place of what people are given.
  Object.assign(server, {
    headersTimeout: 100,
    requestTimeout: 100,
    connectionsCheckingInterval: 50,
  });
});
afterEach(() => {
  clients.splice(0).forEach((client) => client.destroy());
  door.close();
  server.closeAllConnections();
});

/** A door as the supervisor has one: it accepts, and hands over unread. */
async function openDoor(most?: number): Promise<number> {
  const { take } = handedSockets(
    server,
    most === undefined ? undefined : { loopback: most, outer: most },
  );
  door = createServer({ pauseOnConnect: true }, (socket) => take(socket)).listen(0, '127.0.0.1');
  await once(door, 'listening');
  return (door.address() as AddressInfo).port;
}

function knock(port: number, words: string): { socket: Socket; heard: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  socket.write(words);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const heard = once(socket, 'close').then(() => Buffer.concat(chunks).toString());
  return { socket, heard };
}

describe('sockets that are handed to the hub', () => {
  it.each([
    ['half a head', 'GET / HTTP/1.1\r\nHost: '],
    ['nothing at all', ''],
  ])('[S5] are closed where %s comes', async (_, words) => {
    const { heard } = knock(await openDoor(), words);
    expect(await heard).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('[S5] are bounded in number, and there is room again once one has gone', async () => {
    const port = await openDoor(1);
    const request = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
    const taken = once(server, 'connection') as Promise<[Socket]>;
    const first = knock(port, request);
    const [held] = await taken;
    await once(first.socket, 'data');
    const second = await knock(port, request).heard;
    const gone = once(held, 'close');
    first.socket.destroy();
    await gone;
    const third = await knock(port, `${request.trimEnd()}\r\nConnection: close\r\n\r\n`).heard;
    expect([second, third.split('\r\n')[0]]).toEqual(['', 'HTTP/1.1 200 OK']);
  });
});
