import { Injectable, type LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { HubConfiguration } from './hub-configuration.js';

/**
 * Structured logs: one line of JSON an event. Callers name what they log; bodies, headers, tokens, secrets
 * and answers are never among it.
 */
@Injectable()
export class HubLog implements LoggerService {
  private readonly logger: Logger;

  constructor(configuration: HubConfiguration) {
    this.logger = pino({
      level: configuration.logLevel,
      base: { part: 'hub' },
      serializers: { error: errorFields },
    });
  }

  debug(event: string, fields?: unknown): void {
    this.logger.debug(named(fields), event);
  }
  log(event: string, fields?: unknown): void {
    // The framework, which passes the name of its part as text, tells at length how it starts.
    const level = typeof fields === 'string' ? 'debug' : 'info';
    this.logger[level](named(fields), event);
  }
  warn(event: string, fields?: unknown): void {
    this.logger.warn(named(fields), event);
  }
  /** `error` keeps its name, message, stack and cause. */
  error(event: string, fields?: unknown): void {
    this.logger.error(named(fields), event);
  }
}

/** Nest passes a context's name or a stack as text; our own calls pass named fields. */
function named(fields: unknown): object {
  if (typeof fields === 'string') return { context: fields };
  return typeof fields === 'object' && fields !== null ? fields : {};
}

/** Of an error what says where it came from; the database's carry rows in further fields. */
export function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    code,
    stack,
    ...(cause === undefined ? {} : { cause: errorFields(cause) }),
  };
}
