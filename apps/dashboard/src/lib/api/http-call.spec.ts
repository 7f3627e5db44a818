import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { callOf } from './hub-api.js';
import { HubRefusal, HubUnreachable, HubUnreadable } from './hub-refusal.js';
import { httpCall, type Fetch } from './http-call.js';

const Schema = z.object({ fine: z.boolean() });
const answering =
  (status: number, body: string): Fetch =>
  () =>
    Promise.resolve(new Response(body, { status }));
const call = { method: 'GET', path: '/api/x' } as const;

describe('a call of the hub', () => {
  it('[D6] gives the answer once it was parsed', async () => {
    expect(await httpCall(Schema, call, answering(200, '{"fine":true}'))).toEqual({ fine: true });
  });

  it('[C10] that is refused throws the hub’s name for it, with what it rests on', async () => {
    const body = JSON.stringify({ code: 'ALREADY_SETTLED', message: 'no', details: { by: 'B' } });
    const refused = httpCall(Schema, call, answering(409, body));
    await expect(refused).rejects.toBeInstanceOf(HubRefusal);
    await expect(refused).rejects.toMatchObject({ code: 'ALREADY_SETTLED', details: { by: 'B' } });
  });

  it('[D6] that gets no answer says so', async () => {
    const down: Fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(httpCall(Schema, call, down)).rejects.toBeInstanceOf(HubUnreachable);
    await expect(httpCall(Schema, call, answering(502, '<html>'))).rejects.toBeInstanceOf(
      HubUnreachable,
    );
  });

  it('[D6] whose answer is not as agreed is not taken for one', async () => {
    await expect(httpCall(Schema, call, answering(200, '{}'))).rejects.toBeInstanceOf(
      HubUnreadable,
    );
    await expect(httpCall(Schema, call, answering(200, '<html>'))).rejects.toBeInstanceOf(
      HubUnreadable,
    );
  });

  it('[security] carries its token in a header and no cookie', async () => {
    let sent: RequestInit = {};
    const spy: Fetch = (_, init) => {
      sent = init;
      return Promise.resolve(new Response('{"fine":true}'));
    };
    await httpCall(Schema, { ...call, token: 'secret' }, spy);
    expect(sent.headers).toMatchObject({ authorization: 'Bearer secret' });
    expect(sent.credentials).toBe('omit');
  });
});

describe('the address of a call', () => {
  it('[D2] has its parameters put in, and only those of the query that are set', () => {
    const query = { search: 'a b', archived: false, id: undefined };
    expect(callOf('board', { query })).toEqual({
      method: 'GET',
      path: '/api/conversations?search=a+b&archived=false',
    });
    expect(callOf('cancelMessage', { params: { id: 'x/y', messageId: 'm' } }).path).toBe(
      '/api/conversations/x%2Fy/messages/m',
    );
  });
});
