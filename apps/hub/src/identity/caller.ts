import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { KnownDevice } from './device-directory.js';

/** A request whose caller the guard has found out. */
export interface CalledBy extends Request {
  caller?: KnownDevice;
}

/** The device that calls. Only on routes for devices; elsewhere there is none and this throws. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext): KnownDevice => {
  const { caller } = context.switchToHttp().getRequest<CalledBy>();
  if (caller === undefined) throw new Error('a route for anyone asked for its caller');
  return caller;
});
