import { createServer, type Server, type Socket } from 'node:net';

/** Who takes the sockets that the front door has accepted: a hub. */
export interface TakesSockets {
  /** @param refused called where the socket could not be handed over; it is still ours then */
  take(socket: Socket, refused: () => void): void;
}

/** The port is taken by somebody else. */
export class PortTakenError extends Error {}

export interface FrontDoorOptions {
  readonly port: number;
  readonly host?: string;
  /** How many connections wait while no hub is ready; the next ones are closed. */
  readonly mostWaiting?: number;
  /** How long a connection waits for a hub, in milliseconds. */
  readonly waitsMs?: number;
}

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
    this.#options = { host: '127.0.0.1', mostWaiting: 1024, waitsMs: 30_000, ...options };
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

  /** @throws PortTakenError */
  listen(): Promise<void> {
    const { port, host } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause: NodeJS.ErrnoException) => {
        const taken = cause.code === 'EADDRINUSE';
        reject(taken ? new PortTakenError(`Port ${port} is taken.`, { cause }) : cause);
      });
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

  #accept(socket: Socket): void {
    // A client that goes away while it waits is no error of ours.
    socket.on('error', () => this.#turnAway(socket));
    if (this.#hub === undefined) this.#wait(socket);
    else this.#handOver(socket, this.#hub);
  }

  #handOver(socket: Socket, hub: TakesSockets): void {
    hub.take(socket, () => this.#wait(socket));
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
