import { describe, expect, it } from '@jest/globals';
import { ConversationId } from '#contracts';
import { hashOf, routeOf, type Route } from './router.js';

const id = ConversationId.parse('0198c0de-0000-7000-8000-000000000001');

describe('the address of a place', () => {
  const routes: Exclude<Route, { name: 'unknown' }>[] = [
    { name: 'inbox' },
    { name: 'board' },
    { name: 'new' },
    { name: 'more' },
    { name: 'conversation', id },
    { name: 'settings', section: 'appearance' },
    { name: 'sign-in', secret: 'a-secret' },
  ];

  it.each(routes)('[D3] leads back to it: $name', (route) => {
    expect(routeOf(hashOf(route))).toEqual(route);
  });

  it('[D1] is the inbox where none is named', () => {
    expect(routeOf('')).toEqual({ name: 'inbox' });
  });

  it.each(['#/c/not-an-id', '#/settings/nowhere', '#/inbox/more', '#/c/1/2', '#/sign-in'])(
    '[D3] that names nothing is said to be unknown: %s',
    (hash) => {
      expect(routeOf(hash)).toEqual({ name: 'unknown' });
    },
  );
});
