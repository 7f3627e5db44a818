import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Certificate, Door } from '#contracts';
import { SecureSockets } from './secure-sockets.js';

/** How long a request may take to come, in milliseconds: its head, and all of it. A slower one is answered with 408. */
const HEAD_WITHIN_MS = 20_000;
const WHOLE_WITHIN_MS = 60_000;
/** Sockets at a time by the door they came in at, the devices' and the relays' among them; one more is closed. */
const MOST_SOCKETS = { loopback: 6_000, outer: 3_000 } as const;

/** Bounds how long a request may take to come. */
export function boundRequests(server: Server): void {
  server.headersTimeout = HEAD_WITHIN_MS;
  server.requestTimeout = WHOLE_WITHIN_MS;
}

/** How a server is given what its supervisor has accepted. */
export interface HandedSockets {
  /** @param door where it came in */
  take(socket: Socket, door?: Door): void;
  /** S5: shown to who comes in at the outer door from now on. */
  show(certificate: Certificate): void;
}

/**
 * Gives a server, which does not listen itself, sockets that somebody else has accepted.
 *
 * Node looks for requests that take too long only once a server listens, and bounds only the sockets that it accepts
 * itself: here it is told that it listens, and the sockets are counted. Those of the outer door have a smaller bound of
 * their own, so that nobody out there can take the relay's place.
 *
 * @param certificate what comes in at the outer door speaks TLS with it; absent where a proxy does TLS
 */
export function handedSockets(
  server: Server,
  bounds: Readonly<Record<Door, number>> = MOST_SOCKETS,
  certificate?: Certificate,
): HandedSockets {
  const held = { loopback: 0, outer: 0 };
  server.emit('listening');
  const give = (socket: Socket): void => {
    server.emit('connection', socket);
    socket.resume();
  };
  const secure = certificate === undefined ? undefined : new SecureSockets(certificate, give);
  return {
    show: (next) => secure?.show(next),
    take(socket, door = 'loopback') {
      if (held[door] >= bounds[door]) {
        socket.destroy();
        return;
      }
      held[door] += 1;
      socket.once('close', () => (held[door] -= 1));
      if (door === 'outer' && secure !== undefined) secure.take(socket);
      else give(socket);
    },
  };
}
