import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { WebSocket, WebSocketServer } from 'ws';

/**
 * The baseline of a card's round trip: the same hops over bare `ws` with two durable single-row commits and
 * nothing else. Agent → server (insert, commit) → device → server (update, commit) → agent.
 */
export interface BareRoundTrip {
  /** Milliseconds from the agent's call to the agent's answer. */
  once(): Promise<number>;
  close(): Promise<void>;
}

export async function startBareRoundTrip(connection: pg.PoolConfig): Promise<BareRoundTrip> {
  const pool = new pg.Pool({ ...connection, max: 8 });
  pool.on('error', () => undefined);
  await pool.query(
    'create table if not exists bare_card (id bigint primary key, body jsonb not null, answer jsonb)',
  );
  const server = await serve(pool);
  const { port } = server.address() as AddressInfo;
  const agent = await connect(`ws://127.0.0.1:${port}/agent`);
  const device = await connect(`ws://127.0.0.1:${port}/device`);
  device.on('message', (data) => {
    const card = JSON.parse(String(data)) as { id: number };
    device.send(JSON.stringify({ id: card.id, answer: { choices: [0] } }));
  });
  const waiting = new Map<number, () => void>();
  agent.on('message', (data) => waiting.get((JSON.parse(String(data)) as { id: number }).id)?.());
  let next = Date.now();
  return {
    async once() {
      const id = next++;
      const began = performance.now();
      const answered = new Promise<void>((resolve) => waiting.set(id, resolve));
      agent.send(JSON.stringify({ id, question: QUESTION }));
      await answered;
      waiting.delete(id);
      return performance.now() - began;
    },
    async close() {
      agent.terminate();
      device.terminate();
      server.close();
      await pool.end();
    },
  };
}

const QUESTION = {
  question: 'Which database should the new service use?',
  options: [{ label: 'PostgreSQL' }, { label: 'SQLite' }, { label: 'Keep the current one' }],
};

async function serve(pool: pg.Pool): Promise<WebSocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  const sides = new Map<string, WebSocket>();
  server.on('connection', (socket, request) => {
    const side = request.url ?? '';
    sides.set(side, socket);
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as { id: number };
      void store(pool, side, message).then(() =>
        sides.get(side === '/agent' ? '/device' : '/agent')?.send(JSON.stringify(message)),
      );
    });
  });
  await once(server, 'listening');
  return server;
}

async function store(pool: pg.Pool, side: string, message: { id: number }): Promise<void> {
  if (side === '/agent') {
    await pool.query({
      name: 'open',
      text: 'insert into bare_card (id, body) values ($1, $2)',
      values: [message.id, message],
    });
    return;
  }
  await pool.query({
    name: 'answer',
    text: 'update bare_card set answer = $2 where id = $1 and answer is null',
    values: [message.id, message],
  });
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}
