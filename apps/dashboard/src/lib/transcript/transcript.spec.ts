import { describe, expect, it } from '@jest/globals';
import { type EventBody } from '#contracts';
import {
  aDelta,
  aLaptop,
  aMessageId,
  anOpenRequest,
  aText,
  aToolCall,
  messageAccepted,
  numbered,
  anotherTurn,
  requestClosed,
  toolCalled,
  toolReturned,
  turnEnded,
  turnStarted,
} from '../../../../../test/support/event-builders.js';
import { Transcript } from './transcript.js';

const made = (bodies: readonly EventBody[]): Transcript => {
  const transcript = new Transcript();
  transcript.append(numbered(bodies));
  return transcript;
};
const kinds = (transcript: Transcript): string[] => transcript.items.map((item) => item.kind);

describe('a reply that is being written', () => {
  it('[D6] stands live where a reload would put it', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas([aDelta('first', 0, 'a'), aDelta('second', 0, 'b')], 0);
    const stored = [aText('second', 'b'), aText('first', 'a')];
    transcript.append(numbered(stored, 2));
    const reloaded = made([turnStarted, ...stored]);
    expect(transcript.items.map(({ key }) => key)).toEqual(reloaded.items.map(({ key }) => key));
  });

  it('[D3] grows piece by piece', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas([aDelta('b', 0, 'Hel'), aDelta('b', 3, 'lo')], 0);
    expect(transcript.items).toMatchObject([{ kind: 'text', text: 'Hello', streaming: true }]);
  });

  it('[D3] shows no piece that comes after one that was missed, and is whole with its block', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas([aDelta('b', 0, 'Hel'), aDelta('b', 9, 'world'), aDelta('b', 3, 'lo')], 0);
    expect(transcript.items).toMatchObject([{ text: 'Hel', streaming: true }]);
    transcript.append(numbered([aText('b', 'Hello my world')], 2));
    expect(transcript.items).toMatchObject([{ text: 'Hello my world', streaming: false }]);
  });

  it('[D3] takes a piece that comes twice once', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas(
      [aDelta('b', 0, 'Hello'), aDelta('b', 2, 'llo'), aDelta('b', 3, 'lo!')],
      0,
    );
    expect(transcript.items).toMatchObject([{ text: 'Hello!' }]);
  });

  it('[D3] is put together from its parts', () => {
    const parts = [
      aText('b', 'one ', { part: { index: 0, last: false } }),
      aText('b', 'two', { part: { index: 1, last: true } }),
    ];
    expect(made(parts).items).toMatchObject([{ text: 'one two', streaming: false }]);
  });

  it('[D3] is written no more once the turn has ended', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas([aDelta('b', 0, 'Hel')], 0);
    transcript.append(numbered([turnEnded], 2));
    expect(transcript.items[0]).toMatchObject({ text: 'Hel', streaming: false });
  });
});

describe('a tool call', () => {
  it('[D3] runs until it has returned', () => {
    expect(made([toolCalled('t')]).items).toMatchObject([{ state: 'running' }]);
    expect(made([toolCalled('t'), toolReturned('t')]).items).toMatchObject([
      { state: 'done', output: 'fine' },
    ]);
    expect(made([toolCalled('t'), toolReturned('t', { failed: true })]).items).toMatchObject([
      { state: 'failed' },
    ]);
  });

  it('[D3] that the turn left open has ended without a result', () => {
    expect(made([toolCalled('t'), turnEnded]).items[0]).toMatchObject({ state: 'ended' });
  });

  it('[D3] shows its arguments while the agent writes them', () => {
    const transcript = made([turnStarted]);
    transcript.addDeltas([{ ...aDelta('t', 0, '{"a":'), kind: 'tool-input' }], 0);
    expect(transcript.items).toMatchObject([
      { kind: 'tool', state: 'writing', inputText: '{"a":' },
    ]);
    transcript.append(numbered([toolCalled('t')], 2));
    expect(transcript.items).toMatchObject([{ state: 'running', title: 'a.ts' }]);
  });

  it('[D3] holds what the sub-agent that it started did', () => {
    const transcript = made([
      toolCalled('outer'),
      toolCalled('inner', { parentToolCallId: aToolCall('outer') }),
      toolReturned('inner'),
      aText('b', 'found it', { parentToolCallId: aToolCall('outer') }),
    ]);
    expect(transcript.items).toMatchObject([
      {
        toolCallId: 'outer',
        children: [{ toolCallId: 'inner', state: 'done' }, { text: 'found it' }],
      },
    ]);
  });

  it('[D4] gives way to the card that it asked for', () => {
    const transcript = made([
      toolCalled('ask'),
      { kind: 'request-opened', request: anOpenRequest() },
    ]);
    expect(kinds(transcript)).toEqual(['request']);
  });
});

describe('a request in the transcript', () => {
  const opened: EventBody = { kind: 'request-opened', request: anOpenRequest() };

  it('[C13] stays as it was answered', () => {
    const transcript = made([opened, requestClosed()]);
    expect(transcript.items).toMatchObject([
      { kind: 'request', request: { status: 'closed', cards: [{ status: 'answered' }] } },
    ]);
    expect(transcript.openRequests).toEqual([]);
  });

  it('[C10] is not opened again by a list that is late', () => {
    const transcript = made([opened, requestClosed()]);
    transcript.refreshRequest(anOpenRequest({ version: 1 }));
    transcript.refreshRequest(anOpenRequest({ version: 7 }));
    expect(transcript.items).toMatchObject([
      { request: { status: 'closed', cards: [{ status: 'answered' }] } },
    ]);
  });

  it('[D6] that is open is shown also where its beginning is not loaded', () => {
    const transcript = made([aText('b', 'x')]);
    transcript.takeRequests([anOpenRequest()]);
    expect(kinds(transcript)).toEqual(['text', 'request']);
    expect(transcript.openRequests).toHaveLength(1);
  });

  it('[C11] tells how far the answer has come', () => {
    const { id } = anOpenRequest();
    const transcript = made([
      opened,
      requestClosed(),
      { kind: 'delivery-changed', requestId: id, delivery: 'delivered', possibleRepeat: false },
    ]);
    expect(transcript.items).toMatchObject([{ request: { delivery: 'delivered' } }]);
  });
});

describe('a message', () => {
  const picked = (n: number): EventBody => ({
    kind: 'message-picked-up',
    messageId: aMessageId(n),
  });

  it('[C17] waits in the queue until it is picked up, and stands there in the transcript', () => {
    const transcript = made([messageAccepted(30, true), aText('b', 'working')]);
    expect(transcript.queue).toMatchObject([{ text: 'message 30' }]);
    expect(kinds(transcript)).toEqual(['text']);
    transcript.append(numbered([picked(30)], 3));
    expect(transcript.queue).toEqual([]);
    expect(kinds(transcript)).toEqual(['text', 'message']);
  });

  it('[C17] stands above the words that it causes, also where their first pieces were faster than its pick-up', () => {
    const transcript = made([messageAccepted(30, true), turnEnded]);
    const next = { ...aDelta('r', 0, 'Going on'), turnId: anotherTurn };
    transcript.addDeltas([next], 0);
    transcript.append(numbered([picked(30)], 3));
    expect(kinds(transcript)).toEqual(['turn-end', 'message', 'text']);
    transcript.append(numbered([aText('r', 'Going on', { turnId: anotherTurn })], 4));
    expect(kinds(transcript)).toEqual(['turn-end', 'message', 'text']);
  });

  it('[C17] that was cancelled is shown as such', () => {
    const cancelled: EventBody = {
      kind: 'message-cancelled',
      messageId: aMessageId(30),
      by: aLaptop,
    };
    expect(made([messageAccepted(30, true), cancelled]).items).toMatchObject([
      { state: 'cancelled' },
    ]);
  });
});

describe('events that come in pieces', () => {
  const all: EventBody[] = [
    messageAccepted(30, false),
    turnStarted,
    aText('a', 'one ', { part: { index: 0, last: false } }),
    aText('a', 'two', { part: { index: 1, last: true } }),
    toolCalled('outer'),
    toolCalled('inner', { parentToolCallId: aToolCall('outer') }),
    toolReturned('inner'),
    toolReturned('outer'),
    toolCalled('ask'),
    { kind: 'request-opened', request: anOpenRequest() },
    messageAccepted(31, true),
    requestClosed(),
    toolReturned('ask'),
    { kind: 'message-picked-up', messageId: aMessageId(31) },
    aText('z', 'the end'),
    turnEnded,
  ];
  const events = numbered(all);
  const shownOf = (transcript: Transcript) =>
    transcript.items.map(({ key, kind }) => `${kind} ${key}`).sort();

  it.each(events.map((_, at) => at))(
    '[D6] give the same transcript when the older ones before %d come last',
    (at) => {
      const transcript = new Transcript();
      transcript.append(events.slice(at));
      transcript.prepend(events.slice(0, at));
      expect(shownOf(transcript)).toEqual(shownOf(made(all)));
      const request = transcript.items.find((item) => item.kind === 'request');
      expect(request).toMatchObject({ request: { status: 'closed' } });
    },
  );

  it('[D6] keep their order when the older ones come last', () => {
    const transcript = new Transcript();
    transcript.append(events.slice(8));
    transcript.prepend(events.slice(4, 8));
    transcript.prepend(events.slice(0, 4));
    expect(kinds(transcript)).toEqual([
      'message',
      'text',
      'tool',
      'request',
      'message',
      'text',
      'turn-end',
    ]);
  });

  it('[D6] are taken once each', () => {
    const transcript = made(all);
    expect(transcript.append(events)).toBe(true);
    expect(transcript.items).toHaveLength(made(all).items.length);
  });

  it('[D6] with one missing between are refused', () => {
    const transcript = new Transcript();
    transcript.append(events.slice(0, 3));
    expect(transcript.append(events.slice(5))).toBe(false);
    expect(transcript.last).toBe(3);
  });

  it('[D3] change no item that they do not concern', () => {
    const transcript = made(all.slice(0, 8));
    const before = transcript.items[1];
    transcript.append(numbered([aText('q', 'more')], 9));
    expect(transcript.items[1]).toBe(before);
  });
});
