import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Route } from '#contracts';
import { MetricsKey } from '../metrics/metrics-key.js';
import { HubRefusal } from '../platform/hub-refusal.js';
import { SERVED_ROUTE } from '../platform/serves.js';
import { AnonymousLimits } from './anonymous-limits.js';
import type { CalledBy } from './caller.js';
import { Authenticate } from './authenticate.js';

/** S2: who may call which route. A handler that declares nobody is open to nobody. */
@Injectable()
export class PrincipalGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticate: Authenticate,
    private readonly metricsKey: MetricsKey,
    private readonly limits: AnonymousLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // Sockets prove themselves in their handshake, before any event of theirs is heard.
    if (context.getType() === 'ws') return true;
    const route = this.reflector.get<Route | undefined>(SERVED_ROUTE, context.getHandler());
    if (route === undefined) throw new HubRefusal('FORBIDDEN', 'Nobody may call this route.');
    const request = context.switchToHttp().getRequest<CalledBy>();
    if (route.for === 'anyone') {
      if (route.method !== 'GET') await this.limits.bound(route, request);
      return true;
    }
    if (route.for === 'collector') {
      this.demandMetricsKey(bearer(request));
      return true;
    }
    request.caller = await this.authenticate.device(bearer(request));
    return true;
  }

  private demandMetricsKey(shown: string | undefined): void {
    if (this.metricsKey.opensWith(shown)) return;
    const message =
      'The figures are for who shows the key in metrics.key in the folder of the hub.';
    throw new HubRefusal('UNAUTHENTICATED', message);
  }
}

function bearer(request: CalledBy): string | undefined {
  return /^Bearer ([\w.~+/=-]{1,4000})$/.exec(request.headers.authorization ?? '')?.[1];
}
