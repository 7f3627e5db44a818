import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FromPage } from '../platform/at-the-door.js';
import type { KnownDevice } from './device-directory.js';

/** A request whose caller the guard has found out. */
export interface CalledBy extends FromPage {
  caller?: KnownDevice;
}

/** The device that calls. Only on routes for devices; elsewhere there is none and this throws. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): KnownDevice => {
  const { caller } = context.switchToHttp().getRequest<CalledBy>();
  if (caller === undefined) throw new Error('a route for anyone asked for its caller');
  return caller;
});

/** A device that calls from a page at a checked origin. */
export interface DeviceAtPage {
  readonly by: KnownDevice;
  readonly origin: string;
}

/** The device that calls and where its page is from: what a passkey signs is good for that origin alone. */
export const CallerAtPage = createParamDecorator(
  (_: unknown, context: ExecutionContext): DeviceAtPage => {
    const { caller, pageOrigin } = context.switchToHttp().getRequest<CalledBy>();
    if (caller === undefined || pageOrigin === undefined) {
      throw new Error('a route for anyone asked for its caller');
    }
    return { by: caller, origin: pageOrigin };
  },
);
