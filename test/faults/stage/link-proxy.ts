import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { LinkWay } from '../plan/fault-plan.js';

type Direction = Exclude<LinkWay, 'both'>;
const DIRECTIONS: Readonly<Record<LinkWay, readonly Direction[]>> = {
  'to-hub': ['to-hub'],
  'to-relay': ['to-relay'],
  both: ['to-hub', 'to-relay'],
};

/** The way between relay and hub: it can be cut, held and made slow. */
export class LinkProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #held = new Map<Direction, number>();
  readonly #late = new Map<Direction, number>();
  #cuts = 0;
  /** Called once nothing is held any more. */
  #released = new Set<() => void>();
  /** The hub's port, once it is known. */
  target: number | undefined;

  private constructor() {
    this.#server = createServer((socket) => this.#join(socket));
  }

  static async start(): Promise<LinkProxy> {
    const proxy = new LinkProxy();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection and lets none through for so long. */
  async cut(ms: number): Promise<void> {
    this.#cuts += 1;
    this.#cutAll();
    await pause(ms);
    this.#cuts -= 1;
  }

  /** Keeps bytes back for so long; they follow afterwards. */
  async hold(way: LinkWay, ms: number): Promise<void> {
    DIRECTIONS[way].forEach((to) => this.#held.set(to, (this.#held.get(to) ?? 0) + 1));
    await pause(ms);
    DIRECTIONS[way].forEach((to) => this.#held.set(to, (this.#held.get(to) ?? 0) - 1));
    this.#released.forEach((look) => look());
  }

  /** Lets bytes pass `byMs` later than they came, for so long. */
  async slow(way: LinkWay, byMs: number, ms: number): Promise<void> {
    DIRECTIONS[way].forEach((to) => this.#late.set(to, byMs));
    await pause(ms);
    DIRECTIONS[way].forEach((to) => this.#late.delete(to));
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#cutAll();
    await once(this.#server, 'close');
  }

  #cutAll(): void {
    for (const pair of this.#pairs) pair.forEach((socket) => socket.destroy());
  }

  #join(relay: Socket): void {
    if (this.#cuts > 0 || this.target === undefined) {
      relay.on('error', () => undefined);
      relay.destroy();
      return;
    }
    const hub = connect({ port: this.target, host: '127.0.0.1' });
    const pair = [relay, hub] as const;
    this.#pairs.add(pair);
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.#pairs.delete(pair);
        pair.forEach((each) => each.destroy());
      });
    }
    void this.#carry(relay, hub, 'to-hub');
    void this.#carry(hub, relay, 'to-relay');
  }

  /** Reads no further than it may write, so that back pressure passes through. */
  async #carry(from: Socket, to: Socket, direction: Direction): Promise<void> {
    try {
      for await (const bytes of from as AsyncIterable<Buffer>) {
        const late = this.#late.get(direction) ?? 0;
        if (late > 0) await pause(late);
        await this.#letThrough(direction, to);
        if (!to.writable) return;
        if (!to.write(bytes)) await once(to, 'drain');
      }
      to.end();
    } catch {
      // Cut: both ends are destroyed by their close.
    }
  }

  async #letThrough(direction: Direction, to: Socket): Promise<void> {
    while ((this.#held.get(direction) ?? 0) > 0 && !to.destroyed) {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.#released.delete(look);
          resolve();
        };
        this.#released.add(look);
        to.once('close', look);
      });
    }
  }
}
