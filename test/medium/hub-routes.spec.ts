import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { ROUTES, type Route } from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;
let revoked: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  revoked = await hub.device('Revoked');
  await phone.call('DELETE', `/api/devices/${revoked.deviceId}`);
}, 60_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

/** What the HTTP server really answers to, read from its router. */
function served(): string[] {
  const application = hub.hub.application.getHttpAdapter().getInstance() as unknown as {
    router: { stack: { route?: { path: string; methods: Record<string, boolean> } }[] };
  };
  return application.router.stack.flatMap(({ route }) =>
    route === undefined
      ? []
      : Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`),
  );
}

const routes: [string, Route][] = Object.entries(ROUTES);
const forDevices = routes.filter(([, route]) => route.for === 'device');
const anId = 'c0ffee00-0000-4000-8000-000000000001';
const addressOf = ({ path }: Route): string =>
  path.replace(':provider', 'scripted').replaceAll(/:\w+/g, anId);
const statusOf = async (route: Route, authorization?: string): Promise<number> => {
  const headers = authorization === undefined ? {} : { authorization };
  const response = await fetch(hub.url + addressOf(route), { method: route.method, headers });
  return response.status;
};

describe('every route', () => {
  it('[S2] that is served is one of the contracts, and the other way round', () => {
    expect(served().sort()).toEqual(
      routes.map(([, { method, path }]) => `${method} ${path}`).sort(),
    );
  });

  it.each(forDevices)('[S2] %s is refused to nobody in particular', async (_name, route) => {
    expect(await statusOf(route)).toBe(401);
  });

  it.each(forDevices)('[S2] %s is refused to a token that was made up', async (_name, route) => {
    const made = [{ alg: 'none' }, { sub: phone.deviceId, exp: 9_999_999_999 }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    expect(await statusOf(route, `Bearer ${made.join('.')}.`)).toBe(401);
  });

  it.each(forDevices)('[S2] %s is refused to a device that was revoked', async (_name, route) => {
    expect(await statusOf(route, `Bearer ${revoked.token}`)).toBe(401);
  });

  it.each(forDevices)("[S2] %s is refused to a relay's key", async (_name, route) => {
    expect(await statusOf(route, `Bearer ${hub.relay.publicKey}`)).toBe(401);
  });

  it.each(forDevices)('[S2] %s does not take its token from a cookie', async (_name, route) => {
    const headers = { cookie: `token=${phone.token}; authorization=Bearer ${phone.token}` };
    const response = await fetch(hub.url + addressOf(route), { method: route.method, headers });
    expect(response.status).toBe(401);
  });

  it('[S5] that is a GET changes nothing', async () => {
    const count = async (): Promise<unknown> => {
      const tables = ['conversation', 'event', 'audit', 'sign_in_link', 'device'];
      const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
      return (await database.owner.query(`select ${counts.join(', ')}`)).rows[0];
    };
    const before = await count();
    for (const [, route] of routes) {
      if (route.method === 'GET') await statusOf(route, `Bearer ${phone.token}`);
    }
    expect(await count()).toEqual(before);
  });
});

describe('sockets', () => {
  it.each(['', '/', '/admin', '/metrics'])(
    '[S2] the namespace "%s" is nobody’s',
    async (namespace) => {
      const options = { transports: ['websocket'], forceNew: true, reconnection: false };
      const socket = io(hub.url + namespace, { ...options, auth: { token: phone.token } });
      const outcome = new Promise<string>((resolve) => {
        socket.once('connect', () => resolve('connected'));
        socket.once('connect_error', ({ message }) => resolve(message));
      });
      // The default namespace exists and has no events.
      const expected = namespace === '' || namespace === '/' ? 'connected' : 'Invalid namespace';
      expect(await outcome).toBe(expected);
      socket.disconnect();
    },
  );
});

describe('the OpenAPI document', () => {
  interface Document {
    paths: Record<string, Record<string, { operationId: string; security: unknown[] }>>;
    components: { schemas: Record<string, unknown> };
  }
  const document = async (): Promise<Document> =>
    (await fetch(`${hub.url}/api/openapi.json`)).json() as Promise<Document>;

  it('[stack] has every route that is served', async () => {
    const { paths } = await document();
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => {
        const own = path.replaceAll(/\{(\w+)\}/g, ':$1');
        return `${method.toUpperCase()} ${own}`;
      }),
    );
    expect(described.sort()).toEqual(served().sort());
  });

  it('[stack] says who may call each', async () => {
    const { paths } = await document();
    const open = Object.values(paths)
      .flatMap((operations) => Object.values(operations))
      .filter(({ security }) => security.length === 0)
      .map(({ operationId }) => operationId);
    const anyone = routes.filter(([, route]) => route.for === 'anyone').map(([name]) => name);
    expect(open.sort()).toEqual(anyone.sort());
  });

  it('[stack] refers only to schemas that it has', async () => {
    const all = await document();
    const references = [...JSON.stringify(all).matchAll(/"#\/components\/schemas\/(\w+)"/g)];
    const names = new Set(Object.keys(all.components.schemas));
    expect(references.length).toBeGreaterThan(0);
    expect(references.map(([, name = '']) => name).filter((name) => !names.has(name))).toEqual([]);
  });
});
