import { Server as TlsServer, type TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import type { Certificate } from '#contracts';

/** How long a client may take to agree on a cipher, in milliseconds; then its socket is closed. */
const HANDSHAKE_WITHIN_MS = 20_000;
const OLDEST = 'TLSv1.2';

/**
 * Speaks TLS on sockets that somebody else has accepted.
 *
 * It is done here and not where the socket is accepted: a socket with TLS on it can't be handed to another process, and
 * the process that accepts is to outlive this one.
 */
export class SecureSockets {
  private readonly server: TlsServer;

  /** @param give takes each socket once TLS stands on it */
  constructor(certificate: Certificate, give: (socket: TLSSocket) => void) {
    const handshakeTimeout = HANDSHAKE_WITHIN_MS;
    const ALPNProtocols = ['http/1.1'];
    this.server = new TlsServer({
      ...certificate,
      minVersion: OLDEST,
      handshakeTimeout,
      ALPNProtocols,
    });
    this.server.on('secureConnection', give);
    // Whoever speaks no TLS, or none that we speak: the socket is closed.
    this.server.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  take(socket: Socket): void {
    // One that breaks before TLS stands on it is no error of ours.
    socket.on('error', () => socket.destroy());
    this.server.emit('connection', socket);
  }

  /** For new sockets; those that are open keep what they agreed on. */
  show(certificate: Certificate): void {
    this.server.setSecureContext({ ...certificate, minVersion: OLDEST });
  }
}
