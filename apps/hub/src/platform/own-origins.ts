import { Injectable } from '@nestjs/common';
import { HubConfiguration } from './hub-configuration.js';

/** The names under which the loopback is reached; any other name in `Host` is somebody else's (DNS rebinding). */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** What of a request tells from where it comes. */
export interface WhereFrom {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  /** `Sec-Fetch-Site`, which a page can't forge. */
  readonly site?: string | undefined;
}

/** S5: which hosts and origins are the hub's own. */
@Injectable()
export class OwnOrigins {
  private hosts = new Set<string>();
  private origins = new Set<string>();

  constructor({ port }: HubConfiguration) {
    this.listenAt(port);
  }

  /** Tells the port, where the system chose it. */
  listenAt(port: number): void {
    const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port}`);
    this.hosts = new Set(hosts);
    this.origins = new Set(hosts.map((host) => `http://${host}`));
  }

  /** Why a request is refused by where it comes from; absent when it may pass. */
  refusal(from: WhereFrom): string | undefined {
    if (from.host === undefined || !this.hosts.has(from.host)) {
      return `The host is not one of this hub's: ${[...this.hosts].join(', ')}.`;
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
    return from.origin ?? `http://${from.host ?? ''}`;
  }
}
