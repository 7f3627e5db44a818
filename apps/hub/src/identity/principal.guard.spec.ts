import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { ROUTES } from '#contracts';
import type { MetricsKey } from '../metrics/metrics-key.js';
import { Serves } from '../platform/serves.js';
import { AnonymousLimits } from './anonymous-limits.js';
import type { Authenticate } from './authenticate.js';
import type { DeviceDirectory } from './device-directory.js';
import type { CalledBy } from './caller.js';
import { PrincipalGuard } from './principal.guard.js';

const device = { name: 'Phone' };
const KNOWN = '00000000-0000-4000-8000-000000000001';
const UNKNOWN = '00000000-0000-4000-8000-000000000002';
const limits = () =>
  new AnonymousLimits({
    find: (id: string) => Promise.resolve(id === KNOWN ? { deviceId: id } : undefined),
  } as unknown as DeviceDirectory);

class Handlers {
  undeclared(): void {}
  @Serves(ROUTES.info)
  open(): void {}
  @Serves(ROUTES.token)
  openWrite(): void {}
  @Serves(ROUTES.inbox)
  forDevices(): void {}
}

const NO_KEY = { opensWith: () => false } as unknown as MetricsKey;

function call(
  handler: keyof Handlers,
  request: Partial<CalledBy> = {},
  guard = new PrincipalGuard(
    new Reflector(),
    {
      device: (token: string | undefined) =>
        token === 'good' ? Promise.resolve(device) : Promise.reject(new Error('no')),
    } as unknown as Authenticate,
    NO_KEY,
    limits(),
  ),
): Promise<boolean> {
  return guard.canActivate({
    getType: () => 'http',
    getHandler: () => Handlers.prototype[handler],
    switchToHttp: () => ({ getRequest: () => ({ headers: {}, ip: '127.0.0.1', ...request }) }),
  } as unknown as ExecutionContext);
}

describe('who may call a route', () => {
  it('[S2] a handler that declares nobody is open to nobody', async () => {
    const headers = { authorization: 'Bearer good' };
    await expect(call('undeclared', { headers })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('[S2] a route for anyone asks for nothing', async () => {
    expect(await call('open')).toBe(true);
  });

  it('[S2] a route for devices takes a bearer token and nothing else', async () => {
    expect(await call('forDevices', { headers: { authorization: 'Bearer good' } })).toBe(true);
    for (const authorization of ['good', 'Basic good', 'Bearer', 'Bearer good extra']) {
      await expect(call('forDevices', { headers: { authorization } })).rejects.toThrow('no');
    }
  });

  it('[S5] writes of callers who did not say who they are come to an end', async () => {
    const guard = new PrincipalGuard(new Reflector(), {} as Authenticate, NO_KEY, limits());
    const tries = Array.from({ length: 601 }, () => call('openWrite', {}, guard));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(600);
    await expect(call('openWrite', {}, guard)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await call('openWrite', { ip: '10.0.0.2' }, guard)).toBe(true);
  });

  it('[S5] a device that is signed in proves itself however many tries others make from the same address', async () => {
    const guard = new PrincipalGuard(new Reflector(), {} as Authenticate, NO_KEY, limits());
    const asOther = () => call('openWrite', { body: { deviceId: UNKNOWN } }, guard);
    await Promise.allSettled(Array.from({ length: 700 }, asOther));
    await expect(asOther()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect(await call('openWrite', { body: { deviceId: KNOWN } }, guard)).toBe(true);
  });

  it('[S5] proofs of one device come to an end too', async () => {
    const guard = new PrincipalGuard(new Reflector(), {} as Authenticate, NO_KEY, limits());
    const asKnown = () => call('openWrite', { body: { deviceId: KNOWN } }, guard);
    await Promise.allSettled(Array.from({ length: 300 }, asKnown));
    await expect(asKnown()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });
});
