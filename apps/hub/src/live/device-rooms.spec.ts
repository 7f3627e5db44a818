import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Conversation, ConversationId, PersonId, StoredEvent } from '#contracts';
import type { Committed } from '#domain';
import { DeviceRooms } from './device-rooms.js';
import type { Rooms } from './rooms.js';

const ID = 'c' as ConversationId;

interface Told {
  room: string;
  event: string;
  payload: { events?: StoredEvent[]; conversations?: Conversation[]; closed?: string[] };
}

let told: Told[];
let heard: boolean;
let rooms: DeviceRooms;

beforeEach(() => {
  jest.useFakeTimers();
  told = [];
  heard = true;
  const tell = (room: string, event: string, payload: Told['payload']): void =>
    void told.push({ room, event, payload });
  const fake = { isHeard: () => heard, tell, tellInPassing: tell, membersOf: () => [] };
  rooms = new DeviceRooms(fake as unknown as Rooms);
});
afterEach(() => {
  jest.useRealTimers();
});

function committed(of: {
  version: number;
  events?: number[];
  request?: 'open' | 'closed';
}): Committed {
  const requests =
    of.request === undefined ? [] : [{ id: 'r', status: of.request, version: of.version }];
  return {
    conversation: { id: ID, version: of.version, lastEventAt: 5 },
    personId: 'p' as PersonId,
    deleted: false,
    events: (of.events ?? []).map((n) => ({ n, at: n, body: {} })),
    requests,
    outbox: [],
  } as unknown as Committed;
}

const ns = (): number[] =>
  told.flatMap(({ payload }) => (payload.events ?? []).map((event) => event.n));

describe('telling devices', () => {
  it('[D6] events go out in the order of their numbers, whichever write came back first', async () => {
    rooms.changed(committed({ version: 2, events: [3, 4] }));
    rooms.changed(committed({ version: 1, events: [1, 2] }));
    await jest.advanceTimersByTimeAsync(0);
    expect(ns()).toEqual([1, 2, 3, 4]);
  });

  it('[D6] at most twenty events go in one emit', async () => {
    rooms.changed(committed({ version: 1, events: Array.from({ length: 45 }, (_, i) => i + 1) }));
    await jest.advanceTimersByTimeAsync(0);
    const sizes = told.flatMap(({ payload }) => (payload.events ? [payload.events.length] : []));
    expect(sizes).toEqual([20, 20, 5]);
  });

  it('[D6] an older state of a row or request never follows a newer one', async () => {
    rooms.changed(committed({ version: 2, request: 'closed' }));
    rooms.changed(committed({ version: 1, request: 'open' }));
    await jest.advanceTimersByTimeAsync(0);
    const inbox = told.find(({ event }) => event === 'inbox');
    const rows = told.find(({ event }) => event === 'board-rows');
    expect(inbox?.payload).toMatchObject({
      entries: [{ request: { status: 'closed' } }],
      closed: ['r'],
    });
    expect(rows?.payload.conversations?.map(({ version }) => version)).toEqual([2]);
  });

  it('[D2] the first change of a row goes out at once, those right after it together', async () => {
    const rows = (): number => told.filter(({ event }) => event === 'board-rows').length;
    rooms.changed(committed({ version: 1 }));
    await jest.advanceTimersByTimeAsync(0);
    expect(rows()).toBe(1);
    for (const version of [2, 3, 4]) {
      rooms.changed(committed({ version }));
      await jest.advanceTimersByTimeAsync(1);
    }
    await jest.advanceTimersByTimeAsync(60);
    expect(rows()).toBe(2);
  });

  it('[quality] what nobody looks at costs nothing', async () => {
    heard = false;
    rooms.changed(committed({ version: 1, events: [1], request: 'open' }));
    await jest.advanceTimersByTimeAsync(100);
    expect(told).toEqual([]);
  });
});
