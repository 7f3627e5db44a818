import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from './hub-log.js';
import { HubRefusal } from './hub-refusal.js';
import { OwnOrigins, type WhereFrom } from './own-origins.js';

/** What every request passes before anything else looks at it: an id, the check of where it comes from, its line in the log. */
@Injectable()
export class AtTheDoor {
  constructor(
    private readonly origins: OwnOrigins,
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  readonly pass = (request: Request, response: Response, next: NextFunction): void => {
    const requestId = randomUUID();
    const startedAt = performance.now();
    response.setHeader('x-request-id', requestId);
    response.on('finish', () => this.note(request, response, { requestId, startedAt }));
    if (!isDecodable(request.path)) {
      next(new HubRefusal('INVALID', 'The address is not UTF-8 in percent signs.'));
      return;
    }
    const refusal = this.origins.refusal(whereFrom(request));
    const navigates = request.headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET';
    if (refusal === undefined || (navigates && this.comesByLink(request))) {
      next();
      return;
    }
    next(new HubRefusal('FORBIDDEN_ORIGIN', refusal));
  };

  /** A person may follow a link to the page from anywhere; only the host still has to be ours. */
  private comesByLink(request: Request): boolean {
    const { host } = request.headers;
    return !request.path.startsWith('/api/') && this.origins.refusal({ host }) === undefined;
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

/** False for half of a character, such as `%E0%A4%A`. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** What of a request tells from where it comes. */
export function whereFrom(request: Pick<Request, 'headers'>): WhereFrom {
  const site = request.headers['sec-fetch-site'];
  return {
    host: request.headers.host,
    origin: request.headers.origin,
    site: typeof site === 'string' ? site : undefined,
  };
}
