import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from './hub-log.js';
import { HubRefusal } from './hub-refusal.js';
import { OwnOrigins, type WhereFrom } from './own-origins.js';

/** A request of a page whose origin has been checked. */
export interface FromPage extends Request {
  pageOrigin?: string;
}

/** Half a year. Without subdomains: they are nobody's of ours. */
const HSTS = 'max-age=15552000';

/** What every request passes before anything else looks at it: an id, the check of where it comes from, its line in the log. */
@Injectable()
export class AtTheDoor {
  constructor(
    private readonly origins: OwnOrigins,
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  readonly pass = (request: FromPage, response: Response, next: NextFunction): void => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.setHeader('x-request-id', requestId);
    response.on('finish', () => this.note(request, response, { requestId, startedAt }));
    if (!isDecodable(request.path)) {
      next(new HubRefusal('INVALID', 'The address is not UTF-8 in percent signs.'));
      return;
    }
    const from = this.origins.whereFrom(request);
    if (from.scheme === 'https' && !isLoopbackName(from.host)) {
      response.setHeader('strict-transport-security', HSTS);
    }
    request.pageOrigin = this.origins.originOf(from);
    const refusal = this.origins.refusal(from);
    const navigates = request.headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET';
    if (refusal === undefined || (navigates && this.comesByLink(request, from))) {
      next();
      return;
    }
    next(new HubRefusal('FORBIDDEN_ORIGIN', refusal));
  };

  /** A person may follow a link to the page from anywhere; only the host still has to be ours. */
  private comesByLink({ path }: Request, { scheme = 'http', host }: WhereFrom): boolean {
    return !path.startsWith('/api/') && this.origins.refusal({ scheme, host }) === undefined;
  }

  private note(
    request: Request,
    response: Response,
    of: { requestId: string; startedAt: number },
  ): void {
    const ms = performance.now() - of.startedAt;
    this.metrics.served({
      method: request.method,
      route: routeOf(request),
      status: response.statusCode,
      seconds: ms / 1000,
    });
    const fields = {
      httpRequest: of.requestId,
      method: request.method,
      // Without the query: what is searched for is nobody's business.
      path: request.path,
      status: response.statusCode,
      ms: Math.round(ms * 10) / 10,
    };
    if (response.statusCode >= 500) this.log.warn('request', fields);
    else if (request.method === 'GET') this.log.debug('request', fields);
    else this.log.log('request', fields);
  }
}

/** The route's path with its parameters' names: one label a route, whatever is asked for. */
function routeOf(request: Request): string {
  const route = request.route as { path?: string } | undefined;
  return route?.path ?? 'other';
}

/** A browser that remembered these would ask for TLS from whatever is developed on this machine. */
function isLoopbackName(host = ''): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);
}

/** False for half of a character, such as `%E0%A4%A`. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
