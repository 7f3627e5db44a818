import { z } from 'zod';

/** Every refusal of the hub has one of these names. */
export const ErrorCode = z.enum([
  'INVALID',
  'TOO_LARGE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'FORBIDDEN_ORIGIN',
  'NOT_FOUND',
  'ALREADY_SETTLED',
  'STALE_VERSION',
  'DEADLINE_PASSED',
  'INVALID_ANSWER',
  'BAD_SIGNATURE',
  'PASSKEY_NEEDED',
  'PASSKEY_REFUSED',
  'LINK_SPENT',
  'LINK_EXPIRED',
  'MODE_REFUSED',
  'QUEUE_FULL',
  'ALREADY_PICKED_UP',
  'RELAY_AWAY',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'INTERNAL',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The one table from a refusal to its HTTP status. */
export const HTTP_STATUS: { [C in ErrorCode]: number } = {
  INVALID: 400,
  TOO_LARGE: 413,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FORBIDDEN_ORIGIN: 403,
  NOT_FOUND: 404,
  ALREADY_SETTLED: 409,
  STALE_VERSION: 409,
  DEADLINE_PASSED: 409,
  INVALID_ANSWER: 422,
  BAD_SIGNATURE: 403,
  PASSKEY_NEEDED: 403,
  PASSKEY_REFUSED: 403,
  LINK_SPENT: 410,
  LINK_EXPIRED: 410,
  MODE_REFUSED: 422,
  QUEUE_FULL: 429,
  ALREADY_PICKED_UP: 409,
  RELAY_AWAY: 503,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** One field of a body that was not as it must be. */
export const FieldError = z.object({
  /** Path such as `answer.text`; empty for the body itself. */
  field: z.string(),
  /** What was wrong, and what is allowed. */
  problem: z.string(),
});
export type FieldError = z.infer<typeof FieldError>;

export const ErrorBody = z.object({
  code: ErrorCode,
  /** What happened and what to do, in English; the page has the sentence in its language by `code`. */
  message: z.string(),
  fields: z.array(FieldError).optional(),
  /** What the refusal rests on, such as the card as it stands. */
  details: z.unknown().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
