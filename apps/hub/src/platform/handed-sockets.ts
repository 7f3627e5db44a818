import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to come, in milliseconds: its head, and all of it. A slower one is answered with 408. */
const HEAD_WITHIN_MS = 20_000;
const WHOLE_WITHIN_MS = 60_000;
/** Sockets at a time, the devices' and the relays' among them; one more is closed. */
const MOST_SOCKETS = 6_000;

/** Bounds how long a request may take to come. */
export function boundRequests(server: Server): void {
  server.headersTimeout = HEAD_WITHIN_MS;
  server.requestTimeout = WHOLE_WITHIN_MS;
}

/**
 * Gives a server, which does not listen itself, sockets that somebody else has accepted.
 *
 * Node looks for requests that take too long only once a server listens, and bounds only the sockets that it accepts
 * itself: here it is told that it listens, and the sockets are counted.
 */
export function handedSockets(server: Server, most = MOST_SOCKETS): (socket: Socket) => void {
  let held = 0;
  server.emit('listening');
  return (socket) => {
    if (held >= most) {
      socket.destroy();
      return;
    }
    held += 1;
    socket.once('close', () => (held -= 1));
    server.emit('connection', socket);
    socket.resume();
  };
}
