import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import type { DatabaseAddress } from '#persistence';

/** What PostgreSQL says of a commit that is done: its command tag. */
const COMMITTED = Buffer.from('COMMIT\0');

/** A way to PostgreSQL that can be cut at the worst moment. */
export interface CutWire {
  /** The database's address through the wire. */
  readonly address: DatabaseAddress;
  /** The next commit happens, and its reply never arrives: both ends are cut. Resolves when that has been done. */
  loseNextCommit(): Promise<void>;
  /** Cuts everything and takes no more connections, until it is mended. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** Puts a wire between a client and its database. */
export async function cutWireTo(address: DatabaseAddress): Promise<CutWire> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let lost: (() => void) | undefined;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = openTo(address);
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (lost === undefined || !data.includes(COMMITTED)) return near.write(data);
      lost();
      lost = undefined;
      end();
      return undefined;
    });
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cutAll = (): void => {
    for (const [near, far] of pairs) [near, far].forEach((socket) => socket.destroy());
  };
  return {
    address: through(address, port),
    loseNextCommit: () => new Promise((resolve) => (lost = resolve)),
    cut() {
      isCut = true;
      cutAll();
    },
    mend() {
      isCut = false;
    },
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

function openTo(address: DatabaseAddress): Socket {
  if ('url' in address) {
    const { hostname, port } = new URL(address.url);
    return connect({ host: hostname, port: Number(port || 5432) });
  }
  return connect({ path: join(address.host, `.s.PGSQL.${address.port}`) });
}

function through(address: DatabaseAddress, port: number): DatabaseAddress {
  if (!('url' in address)) return { ...address, host: '127.0.0.1', port };
  const url = new URL(address.url);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href };
}
