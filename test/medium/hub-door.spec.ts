import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { LIMITS, type BoardPage, type ErrorBody } from '#contracts';
import type { DeviceClient } from '../support/device-client.js';
import { bootHub, type TestHub } from '../support/hub.js';
import { openTestDatabase, type TestDatabase } from '../support/postgres.js';

let database: TestDatabase;
let hub: TestHub;
let phone: DeviceClient;

beforeAll(async () => {
  database = await openTestDatabase();
  hub = await bootHub(database.addresses.app);
  phone = await hub.device('Phone');
  await hub.relay.attach(hub.url);
}, 60_000);

afterAll(async () => {
  await hub.close();
  await database.remove();
});

interface Raw {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** A request with headers that `fetch` would not send. */
function raw(of: {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}): Promise<Raw> {
  const { hostname, port } = new URL(hub.url);
  return new Promise((resolve, reject) => {
    const { path, method = 'GET', headers = {} } = of;
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on('error', reject);
    sent.end(of.body);
  });
}

const authorized = (more: Record<string, string> = {}): Record<string, string> => ({
  authorization: `Bearer ${phone.token}`,
  ...more,
});
const code = (answer: Raw): string => (JSON.parse(answer.body) as ErrorBody).code;

describe('where requests may come from', () => {
  it.each(['evil.example', 'evil.example:80', '10.0.0.1:7717'])(
    '[S5] a request to the host %s is refused (DNS rebinding)',
    async (host) => {
      const answer = await raw({ path: '/api/inbox', headers: authorized({ host }) });
      expect([answer.status, code(answer)]).toEqual([403, 'FORBIDDEN_ORIGIN']);
    },
  );

  it.each(['http://localhost:3000', 'http://evil.example', 'null'])(
    '[S5] a request of the origin %s is refused, whatever token it carries',
    async (origin) => {
      const answer = await raw({ path: '/api/inbox', headers: authorized({ origin }) });
      expect([answer.status, code(answer)]).toEqual([403, 'FORBIDDEN_ORIGIN']);
    },
  );

  it.each(['http://evil.example', 'http://localhost:3000'])(
    '[S5] a socket of the origin %s gets no handshake',
    async (origin) => {
      const socket = io(`${hub.url}/device`, {
        transports: ['websocket'],
        extraHeaders: { origin },
        reconnection: false,
        forceNew: true,
        auth: { token: phone.token, protocol: 1 },
      });
      const error = await new Promise((resolve) => socket.once('connect_error', resolve));
      socket.disconnect();
      expect(String(error)).toMatch(/websocket error/);
    },
  );

  it('[S5] the page is served to who follows a link, its data is not', async () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      accept: 'text/html',
    };
    expect((await raw({ path: '/', headers })).status).toBe(200);
    expect((await raw({ path: '/api/inbox', headers: authorized(headers) })).status).toBe(403);
  });
});

describe('what every answer carries', () => {
  it.each(['/', '/api/info', '/api/nothing', '/inbox'])(
    '[S5] %s comes with a policy that lets nothing inline and nobody else in',
    async (path) => {
      const { headers } = await raw({ path, headers: { accept: 'text/html,application/json' } });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('[security] no answer sets a cookie', async () => {
    const answers = await Promise.all(
      ['/', '/api/info', '/api/inbox'].map((path) => raw({ path, headers: authorized() })),
    );
    expect(answers.map(({ headers }) => headers['set-cookie'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('[stack] names with a hash in them are kept, the page itself is asked for each time', async () => {
    const asset = await raw({ path: '/assets/page-1234.js' });
    const page = await raw({ path: '/conversations/7', headers: { accept: 'text/html' } });
    expect(asset.headers['cache-control']).toContain('immutable');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  it("[security] nothing outside the page's folder is served", async () => {
    const tries = ['/..%2fhub.key', '/%2e%2e/hub.key', '/assets/../../hub.key', '/.env'];
    const answers = await Promise.all(tries.map((path) => raw({ path })));
    expect(answers.every(({ body }) => !body.includes('PRIVATE KEY'))).toBe(true);
  });
});

describe('bodies that are not as they must be', () => {
  const json = (body: string | Buffer, more: Record<string, string> = {}): Promise<Raw> =>
    raw({
      path: '/api/conversations',
      method: 'POST',
      headers: authorized({ 'content-type': 'application/json', ...more }),
      body,
    });
  const started = (more: object): string =>
    JSON.stringify({
      relayId: hub.relay.id,
      provider: 'scripted',
      folder: '/tmp',
      mode: 'autopilot',
      firstMessage: { messageId: 'c0ffee00-0000-4000-8000-000000000001', text: 'Hi' },
      ...more,
    });

  it.each([
    ['an empty body', ''],
    ['half of a body', '{"relayId":'],
    ['no JSON', 'hello'],
    ['a number', '7'],
    ['an array', '[]'],
    ['null', 'null'],
    ['wrong types', '{"relayId":7,"mode":"yolo"}'],
    ['broken UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ])('[quality] %s is refused by name', async (_what, body) => {
    const answer = await json(body);
    expect([answer.status, code(answer)]).toEqual([400, 'INVALID']);
  });

  it('[quality] a body of another type is refused by name', async () => {
    const answer = await json(started({}), { 'content-type': 'text/plain' });
    expect([answer.status, code(answer)]).toEqual([400, 'INVALID']);
  });

  it('[quality] a compressed body is refused by name', async () => {
    const answer = await json('x', { 'content-encoding': 'gzip' });
    expect([answer.status, code(answer)]).toEqual([400, 'INVALID']);
  });

  it('[quality] a body over the limit is refused by name', async () => {
    const answer = await json(started({ title: 'x'.repeat(LIMITS.bodyBytes) }));
    expect([answer.status, code(answer)]).toEqual([413, 'TOO_LARGE']);
  });

  it.each([
    ['NUL', '/tmp/\\u0000', 'U+0000'],
    ['half of a surrogate pair', '/tmp/\\ud800', 'surrogate'],
  ])('[quality] %s in a text is refused by its field', async (_what, folder, problem) => {
    const answer = await json(started({}).replace('"/tmp"', `"${folder}"`));
    const body = JSON.parse(answer.body) as ErrorBody;
    expect([answer.status, body.fields?.[0]?.field]).toEqual([400, 'folder']);
    expect(body.fields?.[0]?.problem).toContain(problem);
  });

  it('[quality] none of it started anything', async () => {
    const { total } = (await phone.get('/api/conversations')).body as BoardPage;
    expect(total).toBe(0);
  });

  it('[M7] a mode that the provider cannot hold to is refused in its words', async () => {
    const answer = await json(started({ mode: 'ask' }));
    expect([answer.status, code(answer)]).toEqual([422, 'MODE_REFUSED']);
    expect((JSON.parse(answer.body) as ErrorBody).message).toBe('It has no gate for asking yet.');
  });

  it.each([
    ['folder', { folder: 'relative/path' }],
    ['provider', { provider: 'nobody' }],
    ['model', { model: 'unheard-of' }],
    ['engine', { engine: 'steam' }],
    ['relayId', { relayId: 'c0ffee00-0000-4000-8000-00000000000f' }],
  ])('[D5] a wrong %s is refused by its field', async (field, more) => {
    const answer = await json(started(more));
    const body = JSON.parse(answer.body) as ErrorBody;
    expect([body.code, body.fields?.[0]?.field]).toEqual(['INVALID', field]);
  });

  const SOME_ID = 'c0ffee00-0000-4000-8000-00000000000f';
  it.each([
    ['search', '/api/conversations?search=%00'],
    ['before', `/api/conversations/${SOME_ID}/events?before=9007199254740991`],
    ['id', '/api/conversations?lastEventAt=5&id=garbage'],
    ['id', '/api/conversations?lastEventAt=5'],
    ['lastEventAt', `/api/conversations?lastEventAt=9e15&id=${SOME_ID}`],
  ])('[quality] a wrong %s in the address is refused by its field: %s', async (field, path) => {
    const answer = await raw({ path, headers: authorized() });
    const body = JSON.parse(answer.body) as ErrorBody;
    expect([answer.status, body.fields?.[0]?.field]).toEqual([400, field]);
  });

  it('[quality] an address with half of a character is told as what it is', async () => {
    const answer = await raw({ path: '/api/conversations/%E0%A4%A', headers: authorized() });
    const { message } = JSON.parse(answer.body) as ErrorBody;
    expect([answer.status, message]).toEqual([400, expect.stringContaining('address')]);
  });

  it('[quality] a version beyond what can be stored is refused by its field', async () => {
    const answer = await raw({
      path: `/api/cards/${SOME_ID}/skip`,
      method: 'POST',
      headers: authorized({ 'content-type': 'application/json' }),
      body: JSON.stringify({ version: 3_000_000_000, signature: 'A'.repeat(86) }),
    });
    const body = JSON.parse(answer.body) as ErrorBody;
    expect([answer.status, body.fields?.[0]?.field]).toEqual([400, 'version']);
  });

  it('[quality] an id in the address that is none is refused by name', async () => {
    const answer = await raw({ path: '/api/conversations/%00', headers: authorized() });
    expect([answer.status, code(answer)]).toEqual([400, 'INVALID']);
  });
});

describe('bytes on the sockets that are no events', () => {
  it.each([
    ['a wrong protocol', { protocol: 99, token: 'x' }],
    ['no token', { protocol: 1 }],
    ['a token that is an object', { protocol: 1, token: {} }],
  ])('[S1] a device with %s is refused by name', async (_what, auth) => {
    const options = { transports: ['websocket'], reconnection: false, forceNew: true, auth };
    const socket = io(`${hub.url}/device`, options);
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    socket.disconnect();
    expect(error.message).toMatch(/^(INVALID|UNAUTHENTICATED)$/);
  });

  it('[quality] nonsense in events is refused or ignored, and the socket lives on', async () => {
    await phone.connect();
    const { socket } = phone;
    if (socket === undefined) throw new Error('not connected');
    const emit = (...args: unknown[]): void => void Reflect.apply(socket.emit, socket, args);
    for (const nonsense of [null, 7, 'x', [], { conversationId: 'x', after: -1 }, { after: {} }]) {
      const answer: unknown = await socket
        .timeout(5_000)
        .emitWithAck('open-conversation', nonsense as never);
      expect(answer).toMatchObject({ kind: 'refused', code: 'INVALID' });
      emit('close-conversation', nonsense);
      emit('open-conversation', nonsense);
      emit('no-such-event', nonsense);
    }
    expect(socket.connected).toBe(true);
  });

  it('[quality] a frame beyond the limit closes its own socket and no other', async () => {
    await phone.connect();
    const big = await hub.device('Big');
    await big.connect();
    const gone = new Promise((resolve) => big.socket?.once('disconnect', resolve));
    const flood = { conversationId: 'x'.repeat(3 * 1024 * 1024) };
    big.socket?.emit('close-conversation', flood as never);
    await gone;
    expect(phone.socket?.connected).toBe(true);
  });
});
