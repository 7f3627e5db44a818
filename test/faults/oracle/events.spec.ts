import { describe, expect, it } from '@jest/globals';
import type { RunRecords } from '../records/records.js';
import { QUEUED } from './healthy-run.js';
import { violations } from './oracle.js';
import {
  found,
  inDatabase,
  planted,
  withBodies,
  withClient,
  withJournal,
  withSeen,
} from './planted.js';

describe('[link.1] [link.5] [link.6] [D6] the oracle, of events and what was said', () => {
  it.each<[string, RunRecords, string]>([
    [
      '[link.1] an event that is missing',
      inDatabase(({ events }) => ({ events: events.filter(({ n }) => n !== 4) })),
      'event 5 stands at 4',
    ],
    [
      '[link.1] an event at the end that is missing',
      inDatabase(({ events }) => ({ events: events.slice(0, -1) })),
      'were given out and',
    ],
    [
      '[link.1] an event that is doubled',
      inDatabase(({ events }) => ({
        events: [...events, ...events.slice(-1).map((event) => ({ ...event, n: event.n + 1 }))],
        lastEventN: events.length + 1,
      })),
      `there are two of message-picked-up ${QUEUED}`,
    ],
    [
      '[link.6] a message that was refused',
      withBodies('delivery-changed', { kind: 'tombstone', what: 'ask', reason: 'too large' }),
      'a ask was refused: too large',
    ],
    [
      '[link.1] a message that the hub lacks',
      withJournal({ sent: 7 }),
      'has sent 7 and the hub has 6',
    ],
    ['[link.1] a message that the relay lacks', withJournal({ received: 2 }), 'the relay has 2'],
    [
      '[link.5] an event that no relay told',
      withJournal({ events: [] }),
      'that the relay never told',
    ],
    [
      '[link.5] an event of the journal that is not in the log',
      withBodies('turn-ended'),
      "of the relay's journal is not that of the log",
    ],
    ['[link.7] a lost journal', planted(() => ({ journal: undefined })), 'has no journal'],
    [
      '[link.5] words that are missing in the middle',
      withClient((all) => [
        ...all.slice(0, 3),
        { kind: 'says', text: 'unheard', life: 'one', at: 1_000 },
        ...all.slice(3),
      ]),
      '"unheard" is missing, and what followed it is there',
    ],
    [
      '[link.5] last words of a client that nobody killed',
      withClient((all) => [
        ...all,
        { kind: 'says', text: 'unheard', life: 'one', at: 1_000 },
        { kind: 'closed', life: 'one', at: 1_001 },
      ]),
      '"unheard" is missing',
    ],
    [
      '[link.5] more last words than a killed client can lose',
      withClient((all) => [
        ...all,
        { kind: 'says', text: 'unheard', life: 'one', at: 1_000 },
        { kind: 'says', text: 'unheard too', life: 'one', at: 1_000 },
      ]),
      '"unheard" is missing',
    ],
    [
      '[link.5] words in another order',
      withClient((all) => [
        ...all.slice(0, 2),
        ...all.slice(5, 6),
        ...all.slice(2, 5),
        ...all.slice(6),
      ]),
      'another order',
    ],
    [
      '[D6] an event that a device was not shown',
      withSeen((seen) => seen.filter(({ n }) => n !== 5)),
      'was shown event 6 before the one before it',
    ],
    [
      '[D6] another event than is stored',
      withSeen((seen) => seen.map((event) => (event.n === 3 ? { ...event, digest: '' } : event))),
      'was shown another event 3',
    ],
    [
      '[D6] a device that was left behind',
      withSeen((seen) => seen.slice(0, -1)),
      'was shown 11 of 12',
    ],
  ])('%s is seen', (_what, run, words) => {
    expect(found(run).join('\n')).toContain(words);
  });

  it('[D6] lets a device be shown again what it has', () => {
    expect(violations(withSeen((seen) => [...seen, ...seen.slice(4)]))).toEqual([]);
  });

  it('[link.5] lets the last words of a client go whose relay was killed', () => {
    const run = withClient((all) => [
      ...all,
      { kind: 'says', text: 'unheard', life: 'one', at: 1_000 },
      { kind: 'says', text: 'unheard too', life: 'one', at: 1_000 },
    ]);
    expect(violations({ ...run, relayDeaths: [1_500] })).toEqual([]);
  });
});
