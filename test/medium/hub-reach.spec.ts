import { connect, type Socket } from 'node:net';
import { request, type RequestOptions } from 'node:https';
import { request as plainRequest } from 'node:http';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { handedSockets, type HandedSockets } from '../../apps/hub/src/platform/handed-sockets.js';
import { FrontDoor } from '../../apps/supervisor/src/front-door.js';
import { TestAuthority, type MadeCertificate } from '../support/certificates.js';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

const NAME = 'coxswain.example';
/** The address by which the declared proxy comes; the loopback has all of 127.0.0.0/8. */
const PROXY = '127.0.0.9';

let authority: TestAuthority;
let certificate: MadeCertificate;
let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let door: FrontDoor;
let handed: HandedSockets;
const origin = (): string => `https://${NAME}:${door.port}`;

beforeAll(async () => {
  authority = await TestAuthority.found();
  certificate = await authority.issue([NAME]);
  database = await openTestDatabase();
  door = new FrontDoor({ port: 0, door: 'outer' });
  await door.listen();
  const reach = { origins: [origin(), 'https://behind.example'], proxies: [PROXY] };
  hub = await bootHub(database.addresses.app, { reach });
  handed = handedSockets(hub.hub.server, undefined, certificate);
  door.openTo({ take: (socket, _refused, at) => handed.take(socket, at) });
  phone = await hub.device('Phone');
}, 60_000);

afterAll(async () => {
  door.close();
  await hub.close();
  await database.remove();
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

const answerTo = (
  send: typeof request,
  options: RequestOptions,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = send({ path: '/api/devices', agent: false, ...options, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

/** To the outer door, as a browser that trusts the authority. */
const overTls = (
  headers: Record<string, string> = {},
  more: RequestOptions = {},
): Promise<Answer> =>
  answerTo(
    request,
    { host: '127.0.0.1', port: door.port, servername: NAME, ca: authority.root, ...more },
    { host: `${NAME}:${door.port}`, authorization: `Bearer ${phone.token}`, ...headers },
  );

/** To the loopback, without TLS. */
const plainly = (headers: Record<string, string>, from = '127.0.0.1'): Promise<Answer> =>
  answerTo(
    plainRequest as typeof request,
    { host: '127.0.0.1', port: new URL(hub.url).port, localAddress: from },
    { authorization: `Bearer ${phone.token}`, ...headers },
  );

async function tlsSocket(options: object = {}): Promise<TLSSocket> {
  const socket = connectTls({
    ...{ host: '127.0.0.1', port: door.port, servername: NAME, ca: authority.root },
    ...options,
  });
  await once(socket, 'secureConnect');
  return socket;
}

async function said(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('the outer door with a certificate', () => {
  it('[S5] serves who comes by TLS to the declared name, and is remembered as TLS only', async () => {
    const { status, headers } = await overTls({ origin: origin() });
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=15552000']);
    expect(headers['content-security-policy']).toContain(`connect-src 'self' wss://${NAME}`);
  });

  it('[S5] says nothing to who speaks plain HTTP', async () => {
    const socket = connect(door.port, '127.0.0.1');
    socket.write(`GET /api/info HTTP/1.1\r\nHost: ${NAME}:${door.port}\r\n\r\n`);
    expect(await said(socket)).not.toMatch(/HTTP|coxswain/);
  });

  it('[S5] speaks TLS 1.2 and nothing older', async () => {
    const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(tlsSocket(old)).rejects.toThrow(/protocol|version|alert/i);
    const socket = await tlsSocket({ maxVersion: 'TLSv1.2' });
    expect(socket.getProtocol()).toBe('TLSv1.2');
    socket.destroy();
  });

  it.each(['evil.example', '127.0.0.1', 'localhost', 'behind.example.evil.example'])(
    '[S5] the host %s is refused there',
    async (name) => {
      expect((await overTls({ host: `${name}:${door.port}` })).status).toBe(403);
    },
  );

  it.each(['https://evil.example', 'null', `http://${NAME}`])(
    '[S5] the origin %s is refused there, whatever token it carries',
    async (from) => expect((await overTls({ origin: from })).status).toBe(403),
  );

  it('[S5] the declared name without TLS is refused on the loopback', async () => {
    expect((await plainly({ host: `${NAME}:${door.port}` })).status).toBe(403);
  });

  it('[S5] carries a WebSocket, and refuses it to another origin', async () => {
    const dial = (from: string) =>
      io(`https://127.0.0.1:${door.port}/device`, {
        transports: ['websocket'],
        ...{ reconnection: false, forceNew: true, rejectUnauthorized: false },
        extraHeaders: { host: `${NAME}:${door.port}`, origin: from },
        auth: { token: phone.token, protocol: 1 },
      });
    const good = dial(origin());
    const snapshot = await new Promise<object>((resolve) => good.once('snapshot', resolve));
    const bad = dial('https://evil.example');
    const refused = await new Promise<Error>((resolve) => bad.once('connect_error', resolve));
    good.disconnect();
    bad.disconnect();
    expect(Object.keys(snapshot)).toContain('inbox');
    expect(String(refused)).toMatch(/websocket error/);
  });

  it('[S5] a new certificate is for new sockets; an open one goes on', async () => {
    const ask = `GET /api/info HTTP/1.1\r\nHost: ${NAME}:${door.port}\r\n\r\n`;
    const open = await tlsSocket();
    const serial = open.getPeerCertificate().serialNumber;
    handed.show(await authority.issue([NAME]));
    const fresh = await tlsSocket();
    const another = fresh.getPeerCertificate().serialNumber;
    fresh.destroy();
    open.write(ask);
    const [answer] = (await once(open, 'data')) as [Buffer];
    open.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200/);
    expect(another).not.toBe(serial);
  });
});

it('[S5] the outer door has a bound of its own, with room again once a socket has gone', async () => {
  const narrow = new FrontDoor({ port: 0, door: 'outer' });
  await narrow.listen();
  const few = handedSockets(hub.hub.server, { loopback: 1, outer: 1 }, certificate);
  const taken: Socket[] = [];
  narrow.openTo({ take: (socket, _refused, at) => taken.push(socket) && few.take(socket, at) });
  const first = await tlsSocket({ port: narrow.port });
  const tooMany = tlsSocket({ port: narrow.port });
  await expect(tooMany).rejects.toThrow();
  const gone = once(taken[0] as Socket, 'close');
  first.destroy();
  await gone;
  const third = await tlsSocket({ port: narrow.port });
  expect(third.encrypted).toBe(true);
  third.destroy();
  narrow.close();
});

describe('a declared proxy', () => {
  const BEHIND = { host: 'behind.example', 'x-forwarded-proto': 'https' };

  it('[S5] is believed that its client came by TLS', async () => {
    const { status, headers } = await plainly(BEHIND, PROXY);
    expect([status, headers['strict-transport-security']]).toEqual([200, 'max-age=15552000']);
  });

  it('[S5] is refused what its client asked for without TLS', async () => {
    expect((await plainly({ ...BEHIND, 'x-forwarded-proto': 'http' }, PROXY)).status).toBe(403);
  });

  it('[S5] is no other address: what that says of a client is not believed', async () => {
    expect((await plainly(BEHIND, '127.0.0.8')).status).toBe(403);
  });

  it('[S5] tells whose tries are counted; an address that anybody else makes up is not', async () => {
    const tries = async (from: string, made: (n: number) => string): Promise<number> => {
      const port = new URL(hub.url).port;
      const statuses: number[] = [];
      for (let n = 0; n < 610; n += 1) {
        const { status } = await answerTo(
          plainRequest as typeof request,
          {
            ...{ host: '127.0.0.1', port, localAddress: from, method: 'POST' },
            path: '/api/devices/challenge',
          },
          { host: `127.0.0.1:${port}`, 'x-forwarded-for': made(n) },
        );
        statuses.push(status);
      }
      return statuses.filter((status) => status === 429).length;
    };
    const madeUp = (n: number): string => `10.1.${n >> 8}.${n & 255}`;
    expect(await tries('127.0.0.8', madeUp)).toBe(10);
    expect(await tries(PROXY, madeUp)).toBe(0);
  }, 60_000);

  it('[S5] is the only one that may come in at a door without TLS', async () => {
    const guarded = new FrontDoor({ port: 0, door: 'outer', admits: (from) => from === PROXY });
    await guarded.listen();
    guarded.openTo({ take: (socket) => socket.end('in') });
    const [stranger, proxy] = ['127.0.0.1', PROXY].map((localAddress) =>
      connect({ host: '127.0.0.1', port: guarded.port, localAddress }),
    );
    expect([await said(stranger as Socket), await said(proxy as Socket)]).toEqual(['', 'in']);
    guarded.close();
  });
});

describe('links', () => {
  it('[S1] lead to the declared origin from beyond, and to the loopback here', async () => {
    const link = await hub.hub.signInLink('now');
    expect(link?.publicUrl?.startsWith(`${origin()}/#/sign-in/`)).toBe(true);
    expect(link?.url.startsWith('http://127.0.0.1:')).toBe(true);
  });

  it('[S1] a pairing link names the origin that a phone reaches', async () => {
    const { body } = await phone.post('/api/devices/pairing-links');
    expect(body).toMatchObject({ origin: origin() });
  });
});

it('[S5] what is wrong with the certificate is told to devices that are there and that come', async () => {
  const trouble = { kind: 'expired', file: '/etc/here.pem', endsAt: 5 } as const;
  await phone.connect();
  hub.hub.certificateTrouble(trouble as never);
  const heard = await phone.hear('certificate', (state) => state.trouble !== undefined);
  const late = await (await hub.device('Late')).connect();
  hub.hub.certificateTrouble(undefined);
  const over = await phone.hear('certificate', (state) => state.trouble === undefined);
  expect([heard.trouble, late.certificateTrouble, over.trouble]).toEqual([
    trouble,
    trouble,
    undefined,
  ]);
});
