import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { HTTP_STATUS, LIMITS, type ErrorBody, type ErrorCode } from '#contracts';
import { StoreUnavailable } from '#domain';
import { HubMetrics } from '../metrics/hub-metrics.js';
import { HubLog } from './hub-log.js';
import { HubRefusal } from './hub-refusal.js';

/** What the framework's own refusals are called here. */
const CODE_OF_STATUS: { [status: number]: ErrorCode } = {
  400: 'INVALID',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  413: 'TOO_LARGE',
  415: 'INVALID',
};

/** The one place where a refusal becomes an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: HubLog,
    private readonly metrics: HubMetrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const body = errorBody(error);
    this.metrics.refusedRequest(body.code);
    if (body.code === 'INTERNAL') {
      this.log.error('request failed', { httpRequest: response.getHeader('x-request-id'), error });
    }
    if (response.headersSent) {
      request.destroy();
      return;
    }
    response.status(HTTP_STATUS[body.code]).json(body);
  }
}

/** The answer for anything that was thrown; what we did not foresee says nothing of its inside. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof HubRefusal) return refusalBody(error);
  if (error instanceof StoreUnavailable) return { code: 'UNAVAILABLE', message: error.message };
  const status = statusOf(error);
  const code = status === undefined ? undefined : CODE_OF_STATUS[status];
  if (code === undefined) {
    return { code: 'INTERNAL', message: 'Something failed in the hub; its log says what.' };
  }
  return {
    code,
    message: FRAMEWORK_MESSAGES[code] ?? 'The request is not one that the hub takes.',
  };
}

const FRAMEWORK_MESSAGES: { [C in ErrorCode]?: string } = {
  NOT_FOUND: 'There is nothing here.',
  TOO_LARGE: `The body is larger than ${LIMITS.bodyBytes} bytes.`,
  INVALID:
    'The body must be JSON in UTF-8, not compressed, with the content type application/json.',
};

function refusalBody(error: HubRefusal): ErrorBody {
  return {
    code: error.code,
    message: error.message,
    ...(error.fields === undefined ? {} : { fields: [...error.fields] }),
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** Nest's exceptions and the body parser's errors carry a status. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    return error.status;
  }
  return undefined;
}
