import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { Server } from 'socket.io';
import type { OwnOrigins } from './own-origins.js';

/** The largest frame: an attach that names the conversations of a busy machine, with room to spare. */
const LARGEST_FRAME = 2 * 1024 * 1024;
/** Connections in all; one more is refused before it costs anything. */
const MOST_CONNECTIONS = 5_000;

/** The adapter's own copy of the same class, as its types see it. */
type BaseServer = ReturnType<IoAdapter['createIOServer']>;

/** socket.io as this hub wants it: WebSocket only, so that no session id stands in an address; nothing compressed. */
export class SocketAdapter extends IoAdapter {
  private server: Server | undefined;

  constructor(
    application: INestApplicationContext,
    private readonly origins: OwnOrigins,
  ) {
    super(application);
  }

  override createIOServer(): BaseServer {
    this.server ??= new Server(this.httpServer as HttpServer, {
      transports: ['websocket'],
      serveClient: false,
      perMessageDeflate: false,
      httpCompression: false,
      maxHttpBufferSize: LARGEST_FRAME,
      connectTimeout: 10_000,
      pingInterval: 15_000,
      pingTimeout: 10_000,
      allowRequest: (request, decide) => this.decide(request, decide),
    });
    return this.server as unknown as BaseServer;
  }

  /** S5: the same check as for HTTP, before the upgrade. */
  private decide(
    request: IncomingMessage,
    decide: (refusal: string | null, allowed: boolean) => void,
  ): void {
    const { scheme = 'http', host, origin } = this.origins.whereFrom(request);
    const refusal = this.origins.refusal({ scheme, host, origin });
    if (refusal !== undefined) decide(refusal, false);
    else if ((this.server?.engine.clientsCount ?? 0) >= MOST_CONNECTIONS) decide('full', false);
    else decide(null, true);
  }
}
