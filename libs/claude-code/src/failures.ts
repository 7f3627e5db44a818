import { cutText, makeVisible, type Failure } from '#contracts';
import type { Result, System } from './messages.js';

interface Words {
  code: string;
  message: string;
  advice: string;
}

/** The client's own names of what went wrong with the model's API. */
const BY_NAME: Readonly<Record<string, Words>> = {
  authentication_failed: {
    code: 'authentication',
    message: 'The provider refused the sign-in.',
    advice: 'Sign in again, or check the API key in the settings of this provider.',
  },
  oauth_org_not_allowed: {
    code: 'authentication',
    message: 'This account’s organisation does not allow the sign-in.',
    advice: 'Sign in with another account, or use an API key.',
  },
  account_on_hold: {
    code: 'account',
    message: 'The account is on hold.',
    advice: 'Look at the account on the provider’s own page.',
  },
  verification_required: {
    code: 'account',
    message: 'The provider wants the account to be verified.',
    advice: 'Look at the account on the provider’s own page.',
  },
  billing_error: {
    code: 'billing',
    message: 'The provider reports a problem with billing.',
    advice: 'Check the credit and the payment on the provider’s own page.',
  },
  rate_limit: {
    code: 'rate-limit',
    message: 'Too many requests, or the limit of the plan is reached.',
    advice: 'Wait a while, then send a message to go on.',
  },
  overloaded: {
    code: 'overloaded',
    message: 'The provider is overloaded.',
    advice: 'Wait a moment, then send a message to go on.',
  },
  invalid_request: {
    code: 'invalid-request',
    message: 'The provider refused the request.',
    advice: 'Read what it says, and start a new conversation if it repeats.',
  },
  model_not_found: {
    code: 'model',
    message: 'The model does not exist, or this account may not use it.',
    advice: 'Choose another model in a new conversation.',
  },
  server_error: {
    code: 'provider-error',
    message: 'The provider has an error of its own, or the connection to it broke.',
    advice: 'Wait a moment, then send a message to go on.',
  },
  max_output_tokens: {
    code: 'too-long',
    message: 'The reply grew too long for the model.',
    advice: 'Ask for a shorter piece of the work.',
  },
};

const BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication_failed',
  402: 'billing_error',
  403: 'authentication_failed',
  404: 'model_not_found',
  429: 'rate_limit',
  500: 'server_error',
  529: 'overloaded',
};

const OTHER: Words = {
  code: 'provider-error',
  message: 'The model could not be reached, or gave an error.',
  advice: 'Send a message to try again.',
};

const words = (name: string | null | undefined, status: number | null | undefined): Words =>
  (name !== 'unknown' ? BY_NAME[name ?? ''] : undefined) ??
  BY_NAME[BY_STATUS[status ?? 0] ?? ''] ??
  OTHER;

const said = (text: string): string => cutText(makeVisible(text), 2_000);

/** A turn that the model's API ended. `named` is the client's name of the error, from the message before. */
export function apiFailure(result: Result, named: string | undefined): Failure {
  const { code, message, advice } = words(named, result.api_error_status);
  const detail = result.result ?? '';
  return { code, message: detail === '' ? message : `${message} It said: ${said(detail)}`, advice };
}

/** A turn that the client ended by itself. */
export function clientFailure(result: Result): Failure {
  const detail = (result.errors ?? []).join('; ') || result.terminal_reason || result.subtype;
  return {
    code: result.subtype.replaceAll('_', '-').slice(0, 80),
    message: `The agent’s client ended the turn: ${said(detail)}`,
    advice: 'Send a message to go on.',
  };
}

/** One line that says that the client tries again. */
export function retryInWords(retry: System): { text: string; params: Record<string, string> } {
  const reason = reasonOf(retry);
  const seconds = String(Math.max(1, Math.round((retry.retry_delay_ms ?? 0) / 1000)));
  const attempt = String(retry.attempt ?? 1);
  const most = String(retry.max_retries ?? 1);
  return {
    text: `${reason} Trying again in ${seconds} s (${attempt} of ${most}).`,
    params: { reason, seconds, attempt, most },
  };
}

/** Why it tries again; where the client names no reason, whether there was an answer at all. */
function reasonOf({ error, error_status: status }: System): string {
  const known = words(error, status);
  if (known !== OTHER) return known.message;
  return status === null || status === undefined
    ? 'The model can’t be reached: nothing answers at its address, or the connection broke.'
    : `The model’s API answered with an error (status ${status}).`;
}
