import { describe, expect, it } from '@jest/globals';
import type { ClientEntry, RunRecords } from '../records/records.js';
import {
  aHealthyRun,
  aRequest,
  actor,
  ANSWER,
  CALL,
  CONVERSATION,
  ENTRIES,
  MESSAGE,
  OTHER_DEVICE,
  QUEUED,
  WORDS,
} from './healthy-run.js';
import { tally, violations } from './oracle.js';
import {
  found,
  inDatabase,
  planted,
  result,
  withAttempts,
  withBodies,
  withCard,
  withClient,
  withJournal,
  withRequest,
  without,
} from './planted.js';

describe('[C6] [C7] [C9] [C10] [C11] [C17] the oracle of the fault harness', () => {
  it('[C11] has nothing against a run in which all went well', () => {
    expect(violations(aHealthyRun())).toEqual([]);
  });

  it('[C11] names check, conversation and what was seen', () => {
    expect(violations(withClient(without('result')))[0]).toEqual({
      check: 'an accepted answer is lost',
      conversation: CONVERSATION,
      what: `request ${CALL} (answered) counts as delivered, and the client never took it`,
    });
  });

  it.each<[string, RunRecords, string]>([
    ['[C11] an answer that stayed on its way', withRequest({ delivery: 'handed' }), 'is handed'],
    [
      '[C11] an answer superseded by nobody',
      withRequest({ delivery: 'superseded' }),
      'without a stop',
    ],
    [
      '[C11] an answer in other words',
      withClient((all) =>
        all.map((entry) => (entry === all[4] ? { ...result, text: 'no' } : entry)),
      ),
      'was told otherwise',
    ],
    ['[C11] an answer given twice', withClient((all) => [...all, result]), 'was given 2 times'],
    [
      '[C11] an answer given as a result and as a message',
      withClient((all) => [
        ...all,
        { ...result, kind: 'message', messageId: aRequest().id, text: `You asked. ${WORDS}` },
      ]),
      'was given 2 times',
    ],
    [
      '[C11] a repeat that is marked to the agent alone',
      withClient((all) => [
        ...all,
        {
          ...result,
          kind: 'message',
          messageId: aRequest().id,
          text: `You may have been told this before. ${WORDS}`,
        },
      ]),
      'is not in its row',
    ],
    [
      '[C9] a result for a card that was cancelled',
      withRequest({ outcome: 'cancelled', delivery: 'none' }),
      'the client was given 1 results',
    ],
    [
      '[C17] a queued message before the answer',
      withClient((all) => [...all.slice(0, 4), ...all.slice(6), ...all.slice(4, 6)]),
      'came before its answer',
    ],
    [
      '[C17] a message that never came',
      withClient((all) =>
        all.filter((entry) => entry.kind !== 'message' || entry.messageId !== QUEUED),
      ),
      `message ${QUEUED} was never taken`,
    ],
    [
      '[C17] a message that came twice',
      withClient((all) => [...all, ...all.slice(1, 2)]),
      `message ${MESSAGE} was given 2 times`,
    ],
    [
      '[C17] a message that was taken back and came',
      inDatabase(({ messages }) => ({
        messages: messages.map((one) => ({ ...one, status: 'cancelled' as const })),
      })),
      'was taken back and given',
    ],
    [
      '[C17] a message that waits for ever',
      inDatabase(({ messages }) => ({
        messages: messages.map((one) => ({ ...one, status: 'handed' as const })),
      })),
      'is still handed',
    ],
    [
      '[C17] messages in another order',
      inDatabase(({ messages }) => ({ messages: [...messages].reverse() })),
      'which was sent earlier',
    ],
  ])('%s is seen', (_what, run, words) => {
    expect(found(run).join('\n')).toContain(words);
  });

  it.each<[string, RunRecords, string]>([
    [
      '[C9] a card that is open for nobody',
      withRequest({ status: 'open', outcome: null, delivery: 'none' }),
      `request ${CALL} is open`,
    ],
    [
      '[link.4] work that the relay still has',
      withJournal({ work: 1 }),
      'still means to do 1 things',
    ],
    ['[C9] a card that was lost', withCard({ status: 'lost' }), 'was lost'],
    ['[C9] a card that ended by nobody', withCard({ settledBy: null }), 'was answered by nobody'],
    [
      '[C9] a card that was cancelled by a failure',
      withCard({ status: 'cancelled' }),
      'nobody stopped the turn',
    ],
    ['[C7] an answer after the deadline', withCard({ settledAt: 1_000 }), 'after its deadline'],
    [
      '[C7] an expiry before the deadline',
      withCard({ status: 'expired', settledBy: { principal: { kind: 'hub' }, name: 'hub' } }),
      'expired before its deadline',
    ],
    ['[C7] an expiry by a person', withCard({ status: 'expired' }), 'expired by Phone'],
    [
      '[C17] a client that was put to sleep while it asked',
      withClient((all) => [...without('result')(all), { kind: 'closed', life: 'one', at: 1_000 }]),
      `its client was closed in ${CALL}`,
    ],
    ['[C6] an open card in a closed request', withCard({ status: 'open' }), 'is open in a closed'],
  ])('%s is seen', (_what, run, words) => {
    expect(found(run).join('\n')).toContain(words);
  });

  it.each<[string, RunRecords, string]>([
    [
      '[C10] two winners',
      withAttempts((all) => all.map((one) => ({ ...one, result: { kind: 'accepted' } }))),
      `device ${OTHER_DEVICE} was told that it won version 1, and Phone`,
    ],
    [
      '[C10] a loser that was told of another winner',
      withAttempts((all) => [
        ...all.slice(0, 1),
        ...all.slice(1).map((one) => ({
          ...one,
          result: {
            kind: 'refused' as const,
            code: 'ALREADY_SETTLED',
            told: { outcome: 'skipped' as const, by: actor(OTHER_DEVICE), at: 500 },
          },
        })),
      ]),
      'was told of a winner that never was',
    ],
    ['[C10] a winner that never asked', withAttempts(() => []), 'who never asked for that'],
    [
      '[C10] a row with another answer than won',
      withCard({ answer: { ...ANSWER, text: '<another>' } }),
      'the row of version 2 is not what was settled last',
    ],
    ['[C10] an answer of which the log knows nothing', withBodies('card-settled'), 'nobody did'],
  ])('%s is seen', (_what, run, words) => {
    expect(found(run).join('\n')).toContain(words);
  });

  it.each<[string, Partial<RunRecords>]>([
    ['[C9] a life that does not end', { stuck: ['c0: a card is open'] }],
    ['[link.7] a process that is left behind', { leftBehind: ['17: a client'] }],
  ])('%s is seen', (_what, more) => {
    expect(violations({ ...aHealthyRun(), ...more })).toHaveLength(1);
  });

  it('[D6] what the contracts do not allow is seen', () => {
    const run = aHealthyRun();
    const devices = run.devices.map((device) => ({ ...device, malformed: ['events: no'] }));
    expect(found({ ...run, devices })).toEqual(['Phone: events: no']);
  });

  it('[C11] counts marked repeats apart', () => {
    const repeat = `You may have been told this before. ${WORDS}`;
    const run = planted(({ client, database }) => ({
      client: [...client, { ...result, kind: 'message', messageId: aRequest().id, text: repeat }],
      database: { ...database, requests: [{ ...aRequest(), possibleRepeat: true }] },
    }));
    expect(violations(run)).toEqual([]);
    expect(tally(run)).toMatchObject({ cardLives: 1, answersTaken: 2, markedRepeats: 1, races: 1 });
  });

  it('[C9] accepts that a stop cancels what waited', () => {
    const entry: ClientEntry = { kind: 'withdrew', call: CALL, life: 'one', at: 1_000 };
    const { conversations } = withCard({ status: 'cancelled', answer: null });
    const run = { ...aHealthyRun(), conversations };
    const withdrawn = conversations.map((of) => ({
      ...of,
      client: [...ENTRIES.filter(({ kind }) => kind !== 'result'), entry],
    }));
    const words = (of: RunRecords): string => found(of).join('\n');
    expect(words(run)).toContain('nobody stopped the turn');
    expect(words({ ...run, conversations: withdrawn })).not.toContain('nobody stopped the turn');
  });
});
