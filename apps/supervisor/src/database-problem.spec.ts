import { describe, expect, it } from '@jest/globals';
import { databaseProblem } from './database-problem.js';

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });

describe('a database that can not be used', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED', /start that PostgreSQL/],
    ['database "nothing" does not exist', '3D000', /createdb/],
    ['password authentication failed for user "me"', '28P01', /user and password/],
    ['permission denied for schema public', '42501', /DATABASE_OWNER_URL/],
  ])('[processes] is told in words, with what to do: %s', (message, code, advice) => {
    const { message: words } = databaseProblem(failure(message, code));
    expect(words).toContain(`${message}.`);
    expect(words).toMatch(advice);
  });

  it('[processes] both addresses of a host that refuse are one refusal', () => {
    const both = new AggregateError([failure('connect ECONNREFUSED ::1:5432')]);
    const { message } = databaseProblem(Object.assign(both, { code: 'ECONNREFUSED' }));
    expect(message).toContain('ECONNREFUSED ::1:5432. Nothing answers there');
  });
});
