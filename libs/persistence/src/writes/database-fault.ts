import { z } from 'zod';

/** What an error of PostgreSQL's means for a flush. */
export type DatabaseFault =
  /** It can't be reached, or is on its way down or up: nothing was stored, or it can be repeated. */
  | { readonly kind: 'unavailable' }
  /** Another transaction was in the way: at once again. */
  | { readonly kind: 'conflict' }
  /** A row is refused for good; the reason is safe to show, as it holds nothing of the row. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A fault of ours. */
  | { readonly kind: 'other' };

/** By SQLSTATE or its class (PostgreSQL's manual, appendix A). */
const BY_CODE: Readonly<Record<string, DatabaseFault['kind']>> = {
  '08': 'unavailable', // connection exception
  '53': 'unavailable', // insufficient resources: disk full, too many connections
  '57': 'unavailable', // operator intervention: shutdown, cancelled
  '58': 'unavailable', // system error
  '25006': 'unavailable', // a standby, not the primary
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'conflict',
  '22': 'refused', // data exception
  '23': 'refused', // integrity constraint violation
  '54': 'refused', // program limit exceeded
};

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EACCES',
]);

/** What of an error of `pg`'s or of the system's is looked at. */
const Thrown = z.object({
  message: z.string(),
  code: z.string().optional(),
  constraint: z.string().optional(),
});

/** Sorts an error that `pg` threw. */
export function classifyFault(error: unknown): DatabaseFault {
  // Errors of the system have no enumerable message, so the fields are picked one by one.
  const { message, code, constraint } = Object(error) as Record<string, unknown>;
  const thrown = Thrown.safeParse({ message, code, constraint }).data;
  if (thrown === undefined) return { kind: 'other' };
  if (thrown.code === undefined) {
    return { kind: isConnectionLoss(thrown.message) ? 'unavailable' : 'other' };
  }
  if (UNREACHABLE.has(thrown.code)) return { kind: 'unavailable' };
  const kind = BY_CODE[thrown.code] ?? BY_CODE[thrown.code.slice(0, 2)] ?? 'other';
  if (kind !== 'refused') return { kind };
  return { kind, reason: refusalReason(thrown.code, thrown.constraint) };
}

/** The messages that `pg` 8 gives without a code when a connection ends or can't be had. */
function isConnectionLoss(message: string): boolean {
  return /connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|not queryable|client was closed/i.test(
    message,
  );
}

function refusalReason(code: string, constraint: string | undefined): string {
  const what = constraint === undefined ? 'a value' : `the constraint ${constraint}`;
  return `PostgreSQL refused it because of ${what} (SQLSTATE ${code}).`;
}
