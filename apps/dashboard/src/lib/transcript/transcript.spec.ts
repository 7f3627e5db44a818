import { describe, expect, it } from '@jest/globals';
import {
  CardId,
  ConversationId,
  DeviceId,
  MessageId,
  PersonId,
  RequestId,
  ToolCallId,
  TurnId,
  type Actor,
  type CardRequest,
  type Delta,
  type EventBody,
  type StoredEvent,
} from '#contracts';
import { Transcript } from './transcript.js';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const turnId = TurnId.parse(uuid(1));
const call = (name: string): ToolCallId => ToolCallId.parse(name);
const by: Actor = {
  principal: {
    kind: 'device',
    deviceId: DeviceId.parse(uuid(5)),
    personId: PersonId.parse(uuid(6)),
  },
  name: 'Laptop',
};

const numbered = (bodies: readonly EventBody[], from = 1): StoredEvent[] =>
  bodies.map((body, at) => ({ n: from + at, at: 1_000 * (from + at), body }));
const text = (blockId: string, words: string, more = {}): EventBody => ({
  kind: 'text',
  turnId,
  blockId,
  text: words,
  ...more,
});
const called = (id: string, more = {}): EventBody => ({
  kind: 'tool-called',
  turnId,
  toolCallId: call(id),
  tool: 'Read',
  title: 'a.ts',
  input: {},
  inputCut: false,
  ...more,
});
const returned = (id: string, more = {}): EventBody => ({
  kind: 'tool-returned',
  turnId,
  toolCallId: call(id),
  output: 'fine',
  failed: false,
  outputCut: false,
  ...more,
});
const ended: EventBody = { kind: 'turn-ended', turnId, outcome: 'done' };
const started: EventBody = { kind: 'turn-started', turnId };
const delta = (blockId: string, offset: number, words: string, more = {}): Delta => ({
  kind: 'text',
  turnId,
  blockId,
  offset,
  text: words,
  ...more,
});
const accepted = (n: number, queued: boolean): EventBody => ({
  kind: 'message-accepted',
  messageId: MessageId.parse(uuid(n)),
  text: `message ${n}`,
  by,
  queued,
});

const aRequest = (more: Partial<CardRequest> = {}): CardRequest => ({
  id: RequestId.parse(uuid(20)),
  conversationId: ConversationId.parse(uuid(21)),
  toolCallId: call('ask'),
  status: 'open',
  openedAt: 1,
  deadlineAt: 100,
  deadlineOurs: true,
  detached: false,
  delivery: 'none',
  possibleRepeat: false,
  version: 1,
  cards: [
    {
      id: CardId.parse(uuid(22)),
      requestId: RequestId.parse(uuid(20)),
      conversationId: ConversationId.parse(uuid(21)),
      position: 0,
      version: 1,
      status: 'open',
      body: {
        kind: 'question',
        question: 'Which?',
        options: [{ label: 'A' }],
        allowsSeveral: false,
        offersSelectSeveral: false,
        notes: [],
      },
    },
  ],
  ...more,
});
const closed = (): EventBody => {
  const request = aRequest();
  const cards = request.cards.map((card) => ({ ...card, version: 2, status: 'answered' as const }));
  return { kind: 'request-closed', requestId: request.id, outcome: 'answered', cards };
};

const made = (bodies: readonly EventBody[]): Transcript => {
  const transcript = new Transcript();
  transcript.append(numbered(bodies));
  return transcript;
};
const kinds = (transcript: Transcript): string[] => transcript.items.map((item) => item.kind);

describe('a reply that is being written', () => {
  it('[D3] grows piece by piece', () => {
    const transcript = made([started]);
    transcript.addDeltas([delta('b', 0, 'Hel'), delta('b', 3, 'lo')], 0);
    expect(transcript.items).toMatchObject([{ kind: 'text', text: 'Hello', streaming: true }]);
  });

  it('[D3] shows no piece that comes after one that was missed, and is whole with its block', () => {
    const transcript = made([started]);
    transcript.addDeltas([delta('b', 0, 'Hel'), delta('b', 9, 'world'), delta('b', 3, 'lo')], 0);
    expect(transcript.items).toMatchObject([{ text: 'Hel', streaming: true }]);
    transcript.append(numbered([text('b', 'Hello my world')], 2));
    expect(transcript.items).toMatchObject([{ text: 'Hello my world', streaming: false }]);
  });

  it('[D3] takes a piece that comes twice once', () => {
    const transcript = made([started]);
    transcript.addDeltas([delta('b', 0, 'Hello'), delta('b', 2, 'llo'), delta('b', 3, 'lo!')], 0);
    expect(transcript.items).toMatchObject([{ text: 'Hello!' }]);
  });

  it('[D3] is put together from its parts', () => {
    const parts = [
      text('b', 'one ', { part: { index: 0, last: false } }),
      text('b', 'two', { part: { index: 1, last: true } }),
    ];
    expect(made(parts).items).toMatchObject([{ text: 'one two', streaming: false }]);
  });

  it('[D3] is written no more once the turn has ended', () => {
    const transcript = made([started]);
    transcript.addDeltas([delta('b', 0, 'Hel')], 0);
    transcript.append(numbered([ended], 2));
    expect(transcript.items[0]).toMatchObject({ text: 'Hel', streaming: false });
  });
});

describe('a tool call', () => {
  it('[D3] runs until it has returned', () => {
    expect(made([called('t')]).items).toMatchObject([{ state: 'running' }]);
    expect(made([called('t'), returned('t')]).items).toMatchObject([
      { state: 'done', output: 'fine' },
    ]);
    expect(made([called('t'), returned('t', { failed: true })]).items).toMatchObject([
      { state: 'failed' },
    ]);
  });

  it('[D3] that the turn left open has ended without a result', () => {
    expect(made([called('t'), ended]).items[0]).toMatchObject({ state: 'ended' });
  });

  it('[D3] shows its arguments while the agent writes them', () => {
    const transcript = made([started]);
    transcript.addDeltas([delta('t', 0, '{"a":', { kind: 'tool-input' })], 0);
    expect(transcript.items).toMatchObject([
      { kind: 'tool', state: 'writing', inputText: '{"a":' },
    ]);
    transcript.append(numbered([called('t')], 2));
    expect(transcript.items).toMatchObject([{ state: 'running', title: 'a.ts' }]);
  });

  it('[D3] holds what the sub-agent that it started did', () => {
    const transcript = made([
      called('outer'),
      called('inner', { parentToolCallId: call('outer') }),
      returned('inner'),
      text('b', 'found it', { parentToolCallId: call('outer') }),
    ]);
    expect(transcript.items).toMatchObject([
      {
        toolCallId: 'outer',
        children: [{ toolCallId: 'inner', state: 'done' }, { text: 'found it' }],
      },
    ]);
  });

  it('[D4] gives way to the card that it asked for', () => {
    const transcript = made([called('ask'), { kind: 'request-opened', request: aRequest() }]);
    expect(kinds(transcript)).toEqual(['request']);
  });
});

describe('a request in the transcript', () => {
  const opened: EventBody = { kind: 'request-opened', request: aRequest() };

  it('[C13] stays as it was answered', () => {
    const transcript = made([opened, closed()]);
    expect(transcript.items).toMatchObject([
      { kind: 'request', request: { status: 'closed', cards: [{ status: 'answered' }] } },
    ]);
    expect(transcript.openRequests).toEqual([]);
  });

  it('[C10] is not opened again by a list that is late', () => {
    const transcript = made([opened, closed()]);
    transcript.refreshRequest(aRequest({ version: 1 }));
    transcript.refreshRequest(aRequest({ version: 7 }));
    expect(transcript.items).toMatchObject([
      { request: { status: 'closed', cards: [{ status: 'answered' }] } },
    ]);
  });

  it('[D6] that is open is shown also where its beginning is not loaded', () => {
    const transcript = made([text('b', 'x')]);
    transcript.takeRequests([aRequest()]);
    expect(kinds(transcript)).toEqual(['text', 'request']);
    expect(transcript.openRequests).toHaveLength(1);
  });

  it('[C11] tells how far the answer has come', () => {
    const { id } = aRequest();
    const transcript = made([
      opened,
      closed(),
      { kind: 'delivery-changed', requestId: id, delivery: 'delivered', possibleRepeat: false },
    ]);
    expect(transcript.items).toMatchObject([{ request: { delivery: 'delivered' } }]);
  });
});

describe('a message', () => {
  const picked = (n: number): EventBody => ({
    kind: 'message-picked-up',
    messageId: MessageId.parse(uuid(n)),
  });

  it('[C17] waits in the queue until it is picked up, and stands there in the transcript', () => {
    const transcript = made([accepted(30, true), text('b', 'working')]);
    expect(transcript.queue).toMatchObject([{ text: 'message 30' }]);
    expect(kinds(transcript)).toEqual(['text']);
    transcript.append(numbered([picked(30)], 3));
    expect(transcript.queue).toEqual([]);
    expect(kinds(transcript)).toEqual(['text', 'message']);
  });

  it('[C17] that was cancelled is shown as such', () => {
    const cancelled: EventBody = {
      kind: 'message-cancelled',
      messageId: MessageId.parse(uuid(30)),
      by,
    };
    expect(made([accepted(30, true), cancelled]).items).toMatchObject([{ state: 'cancelled' }]);
  });
});

describe('events that come in pieces', () => {
  const all: EventBody[] = [
    accepted(30, false),
    started,
    text('a', 'one ', { part: { index: 0, last: false } }),
    text('a', 'two', { part: { index: 1, last: true } }),
    called('outer'),
    called('inner', { parentToolCallId: call('outer') }),
    returned('inner'),
    returned('outer'),
    called('ask'),
    { kind: 'request-opened', request: aRequest() },
    accepted(31, true),
    closed(),
    returned('ask'),
    { kind: 'message-picked-up', messageId: MessageId.parse(uuid(31)) },
    text('z', 'the end'),
    ended,
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
    transcript.append(numbered([text('q', 'more')], 9));
    expect(transcript.items[1]).toBe(before);
  });
});
