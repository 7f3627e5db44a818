import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HubConfiguration } from './hub-configuration.js';

/** The names under which the loopback is reached; any other name in `Host` is somebody else's (DNS rebinding). */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

type Scheme = 'http' | 'https';

/** What of a request tells from where it comes. */
export interface WhereFrom {
  /** By which its client came: TLS ends here, or at a declared proxy that says so. Plain where nothing is said. */
  readonly scheme?: Scheme;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  /** `Sec-Fetch-Site`, which a page can't forge. */
  readonly site?: string | undefined;
}

/** S5: which hosts and origins are the hub's own. */
@Injectable()
export class OwnOrigins {
  private origins = new Set<string>();
  private readonly declared: readonly string[];
  private isProxy: (address: string) => boolean = () => false;

  constructor({ port, reach }: HubConfiguration) {
    this.declared = reach?.origins ?? [];
    this.listenAt(port);
  }

  /** Tells the port, where the system chose it. */
  listenAt(port: number): void {
    const loopback = LOOPBACK_NAMES.map((name) => `http://${name}:${port}`);
    this.origins = new Set([...loopback, ...this.declared]);
  }

  /** Tells by which address a declared proxy comes; nobody else's `X-Forwarded-*` is believed. */
  trust(isProxy: (address: string) => boolean): void {
    this.isProxy = isProxy;
  }

  whereFrom(request: Pick<IncomingMessage, 'headers' | 'socket'>): WhereFrom {
    const { headers } = request;
    const site = headers['sec-fetch-site'];
    return {
      scheme: this.schemeOf(request),
      host: headers.host,
      origin: headers.origin,
      site: typeof site === 'string' ? site : undefined,
    };
  }

  /** Why a request is refused by where it comes from; absent when it may pass. */
  refusal(from: WhereFrom): string | undefined {
    const hostOf = (origin: string): string => origin.slice(origin.indexOf('//') + 2);
    if (!this.origins.has(addressOf(from))) {
      const scheme = from.scheme ?? 'http';
      const own = [...this.origins].filter((origin) => origin.startsWith(`${scheme}:`));
      return `The host is not one of this hub's: ${own.map(hostOf).join(', ')}.`;
    }
    if (from.origin !== undefined && !this.origins.has(from.origin)) {
      return `The origin is not one of this hub's: ${[...this.origins].join(', ')}.`;
    }
    if (from.origin === undefined && (from.site === 'cross-site' || from.site === 'same-site')) {
      return 'Another site asked for this.';
    }
    return undefined;
  }

  /** The origin that a checked request belongs to; a client that sends none is taken by its host. */
  originOf(from: WhereFrom): string {
    return from.origin ?? addressOf(from);
  }

  private schemeOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): Scheme {
    if ('encrypted' in socket && socket.encrypted === true) return 'https';
    const said = headers['x-forwarded-proto'];
    const byProxy = said !== undefined && this.isProxy(socket.remoteAddress ?? '');
    return byProxy && String(said).split(',')[0]?.trim() === 'https' ? 'https' : 'http';
  }
}

const addressOf = ({ scheme = 'http', host = '' }: WhereFrom): string => `${scheme}://${host}`;
