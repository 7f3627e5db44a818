import type { ErrorCode, FieldError } from '#contracts';

/** The hub says no, by name; {@link ErrorFilter} turns it into an answer. */
export class HubRefusal extends Error {
  readonly fields?: readonly FieldError[];
  /** What the refusal rests on, such as the card as it stands. */
  readonly details?: unknown;

  constructor(
    readonly code: ErrorCode,
    message: string,
    more: { fields?: readonly FieldError[]; details?: unknown; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'HubRefusal';
    if (more.fields !== undefined) this.fields = more.fields;
    if (more.details !== undefined) this.details = more.details;
  }
}

/** A refusal that rests on one field of the body. */
export function invalidField(field: string, problem: string): HubRefusal {
  return new HubRefusal('INVALID', `${field} ${problem}.`, { fields: [{ field, problem }] });
}
