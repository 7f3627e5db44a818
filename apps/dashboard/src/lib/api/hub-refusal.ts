import { type ErrorBody, type ErrorCode, type FieldError } from '#contracts';

/** The hub said no, with a name for it. */
export class HubRefusal extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly details: unknown;

  constructor(body: ErrorBody) {
    super(body.message);
    this.name = 'HubRefusal';
    this.code = body.code;
    this.fields = body.fields ?? [];
    this.details = body.details;
  }
}

/** The hub did not answer: it is not known whether it got the call. */
export class HubUnreachable extends Error {
  constructor(cause: unknown) {
    super('The hub did not answer', { cause });
    this.name = 'HubUnreachable';
  }
}

/** The hub answered with something that this page does not understand; another version may be running. */
export class HubUnreadable extends Error {
  constructor(what: string, cause?: unknown) {
    super(`The hub's answer to ${what} was not as agreed`, { cause });
    this.name = 'HubUnreadable';
  }
}
