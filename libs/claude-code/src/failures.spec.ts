import { describe, expect, it } from '@jest/globals';
import { retryInWords } from './failures.js';

const retry = (more: object): Parameters<typeof retryInWords>[0] =>
  ({ type: 'system', subtype: 'api_retry', attempt: 2, max_retries: 10, ...more }) as never;

describe('a retry of the model’s API, in words', () => {
  it('[D3] tells the cause that the client names', () => {
    expect(retryInWords(retry({ error: 'overloaded' })).params['reason']).toBe(
      'The provider is overloaded.',
    );
  });

  it('[D3] tells whether there was an answer, where the client names no cause', () => {
    expect(retryInWords(retry({ error: 'unknown', error_status: null })).text).toContain(
      'nothing answers at its address',
    );
    expect(retryInWords(retry({ error: 'unknown', error_status: 418 })).text).toContain(
      'status 418',
    );
  });
});
