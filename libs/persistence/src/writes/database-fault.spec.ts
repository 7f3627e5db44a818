import { describe, expect, it } from '@jest/globals';
import { classifyFault } from './database-fault.js';

const fault = (of: object): unknown => classifyFault(Object.assign(new Error('secret row'), of));

describe('what an error of the database means', () => {
  it.each([
    ['PostgreSQL shutting down', { code: '57P01' }],
    ['a full disk', { code: '53100' }],
    ['a socket that is gone', { code: 'ENOENT' }],
    ['a connection that ended', { message: 'Connection terminated unexpectedly' }],
  ])('[stack] %s can be tried again', (_, of) => {
    expect(fault(of)).toEqual({ kind: 'unavailable' });
  });

  it('[stack] a deadlock is another transaction in the way', () => {
    expect(fault({ code: '40P01' })).toEqual({ kind: 'conflict' });
  });

  it('[link.6] a row that breaks a constraint is refused, by the name of the constraint only', () => {
    expect(fault({ code: '23503', constraint: 'card_request_id_fkey' })).toEqual({
      kind: 'refused',
      reason:
        'PostgreSQL refused it because of the constraint card_request_id_fkey (SQLSTATE 23503).',
    });
  });

  it('[stack] anything else is a fault of ours', () => {
    expect([fault({}), classifyFault(undefined), fault({ code: '42601' })]).toEqual([
      { kind: 'other' },
      { kind: 'other' },
      { kind: 'other' },
    ]);
  });
});
