import type { Door } from '#contracts';
import { createServer, type Server, type Socket } from 'node:net';

/** Who takes the sockets that the front door has accepted: a hub. */
export interface TakesSockets {
  /**
   * @param refused called where the socket could not be handed over; it is still ours then
   * @param door where it came in; the loopback's where nothing is said
   */
  take(socket: Socket, refused: () => void, door?: Door): void;
}

/** The port is taken by somebody else; the message says what to do where it is the outer door's. */
export class PortTakenError extends Error {}
/** The address to listen at is none of this machine's. */
export class NoSuchAddressError extends Error {}

const noSuchAddress = (host: string): string =>
  `COXSWAIN_LISTEN: ${host} is no address of this machine now. Name one that it has (0.0.0.0 stands for all of them), ` +
  'or start again once the network is up.';

export interface FrontDoorOptions {
  readonly port: number;
  readonly host?: string;
  readonly door?: Door;
  /** Who may come in, by address; anybody else is closed before a byte is read. Everybody, where nothing is said. */
  readonly admits?: (address: string) => boolean;
  /** How many connections wait while no hub is ready; the next ones are closed. */
  readonly mostWaiting?: number;
  /** How long a connection waits for a hub, in milliseconds. */
  readonly waitsMs?: number;
}

const DEFAULTS: Omit<Required<FrontDoorOptions>, 'port'> = {
  ...{ host: '127.0.0.1', door: 'loopback' as const, admits: () => true },
  ...{ mostWaiting: 1024, waitsMs: 30_000 },
};

interface Waiting {
  readonly socket: Socket;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * The listening socket of the hub, held by the supervisor so that it outlives hubs.
 *
 * A hub that restarts would close its port for a second or two: pages would show an error, relays would back off. So
 * the supervisor listens, and passes each accepted socket to the hub (a file descriptor over the IPC channel: not a
 * byte of it goes through the supervisor). While no hub is ready sockets wait here, unread, up to a bound. Sharing the
 * listening handle itself would save that step, but Node has no public way to listen without accepting.
 */
export class FrontDoor {
  readonly #options: Required<FrontDoorOptions>;
  readonly #server: Server;
  readonly #waiting = new Map<Socket, Waiting>();
  #hub: TakesSockets | undefined;

  constructor(options: FrontDoorOptions) {
    this.#options = { ...DEFAULTS, ...options };
    // Unread: what the client has sent by now is for the hub.
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
  }

  /** The port in fact, also where 0 was asked for. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : this.#options.port;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** @throws PortTakenError, NoSuchAddressError */
  listen(): Promise<void> {
    const { port, host } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => reject(this.#whyNot(cause)));
      this.#server.listen({ port, host, backlog: 1024 }, resolve);
    });
  }

  /** From now on sockets go to this hub; those that waited go first, in their order. */
  openTo(hub: TakesSockets): void {
    this.#hub = hub;
    for (const { socket } of [...this.#waiting.values()]) {
      this.#stopWaiting(socket);
      this.#handOver(socket, hub);
    }
  }

  /** No hub is ready: sockets wait. */
  hold(): void {
    this.#hub = undefined;
  }

  close(): void {
    this.#server.close();
    this.hold();
    for (const { socket } of [...this.#waiting.values()]) this.#turnAway(socket);
  }

  #whyNot(cause: NodeJS.ErrnoException): Error {
    const { port, host, door } = this.#options;
    const remedy = door === 'outer' ? ' Name another one in COXSWAIN_LISTEN.' : '';
    const words = `Port ${port} of ${host} is taken.${remedy}`;
    if (cause.code === 'EADDRINUSE') return new PortTakenError(words, { cause });
    const isNoAddress = cause.code === 'EADDRNOTAVAIL';
    return isNoAddress ? new NoSuchAddressError(noSuchAddress(host), { cause }) : cause;
  }

  #accept(socket: Socket): void {
    // A client that goes away while it waits is no error of ours.
    socket.on('error', () => this.#turnAway(socket));
    if (!this.#options.admits(socket.remoteAddress ?? '')) socket.destroy();
    else if (this.#hub === undefined) this.#wait(socket);
    else this.#handOver(socket, this.#hub);
  }

  #handOver(socket: Socket, hub: TakesSockets): void {
    hub.take(socket, () => this.#wait(socket), this.#options.door);
  }

  #wait(socket: Socket): void {
    if (this.#waiting.size >= this.#options.mostWaiting || !this.#server.listening) {
      socket.destroy();
      return;
    }
    const giveUp = setTimeout(() => this.#turnAway(socket), this.#options.waitsMs);
    socket.once('close', () => this.#stopWaiting(socket));
    this.#waiting.set(socket, { socket, giveUp });
  }

  #turnAway(socket: Socket): void {
    this.#stopWaiting(socket);
    socket.destroy();
  }

  #stopWaiting(socket: Socket): void {
    clearTimeout(this.#waiting.get(socket)?.giveUp);
    this.#waiting.delete(socket);
  }
}
