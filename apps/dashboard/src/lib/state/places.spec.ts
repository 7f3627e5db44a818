import { describe, expect, it } from '@jest/globals';
import { ConversationId, RequestId, type Conversation, type InboxEntry } from '#contracts';
import { boardPlaces, fits, isWithin } from './board-places.js';
import { inboxPlaces } from './inbox-places.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const request = (n: number): RequestId => RequestId.parse(uuid(n));
const conversation = (n: number): ConversationId => ConversationId.parse(uuid(n));

const entry = (n: number, deadlineAt: number): InboxEntry =>
  ({ request: { id: request(n), deadlineAt, openedAt: 0 } }) as InboxEntry;
const row = (n: number, lastEventAt: number): Conversation =>
  ({ id: conversation(n), lastEventAt, state: 'idle' }) as Conversation;

describe('the order of the inbox', () => {
  const open = [entry(1, 300), entry(2, 100), entry(3, 200)];

  it('[D1] is by the nearest deadline', () => {
    const places = inboxPlaces({ shown: [request(1)], open, inHand: false });
    expect(places).toEqual([request(2), request(3), request(1)]);
  });

  it('[D1] moves nothing that is shown while somebody points at it', () => {
    const places = inboxPlaces({ shown: [request(1), request(3)], open, inHand: true });
    expect(places).toEqual([request(1), request(3), request(2)]);
  });

  it('[D1] keeps the place of a card that ended under the finger', () => {
    const places = inboxPlaces({ shown: [request(9), request(1)], open, inHand: true });
    expect(places[0]).toBe(request(9));
  });
});

describe('the order of the board', () => {
  const rows = [row(1, 10), row(2, 30), row(3, 20)];

  it('[D2] is by what moved last', () => {
    const places = boardPlaces({ shown: [], rows, inHand: false });
    expect(places).toEqual([conversation(2), conversation(3), conversation(1)]);
  });

  it('[D2] stands still while somebody points at it', () => {
    const shown = [conversation(1), conversation(2)];
    const places = boardPlaces({ shown, rows, inHand: true });
    expect(places).toEqual([conversation(1), conversation(2), conversation(3)]);
  });

  it('[D2] takes in no row that lies beyond the pages that are loaded', () => {
    const next = { lastEventAt: 15, id: conversation(4) };
    expect(rows.filter((one) => isWithin(one, next))).toEqual([row(2, 30), row(3, 20)]);
  });

  it('[D2] can be narrowed to what needs the person', () => {
    expect(fits({ ...row(1, 1), state: 'waiting-for-reply' }, 'needsYou')).toBe(true);
    expect(fits({ ...row(1, 1), state: 'running' }, 'needsYou')).toBe(false);
  });
});
