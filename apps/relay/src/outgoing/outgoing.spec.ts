import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import {
  AgentEvent,
  AskRequest,
  LIMITS,
  type Question,
  ToolCallId,
  TurnId,
  type AgentEventOf,
  type Json,
} from '#contracts';
import { fittedEvents } from './fitted-event.js';
import { fittedQuestions } from './fitted-questions.js';
import { jsonBytes } from './frame-budget.js';
import { PendingEvents } from './pending-events.js';

const turnId = TurnId.parse(randomUUID());
const toolCallId = ToolCallId.parse('toolu_1');

const aQuestion = (more: Partial<Question> = {}): Question => ({
  kind: 'question',
  question: 'Go on?',
  options: [{ label: 'Yes' }],
  allowsSeveral: false,
  offersSelectSeveral: false,
  notes: [],
  ...more,
});

/** Whether the hub takes it, in one frame. */
function isTaken(questions: readonly Question[]): boolean {
  const ask = { kind: 'ask', toolCallId, questions };
  return AskRequest.safeParse(ask).success && jsonBytes(ask) <= LIMITS.linkFrameBytes;
}

describe('questions on their way to the hub', () => {
  it('[quality] that are as they should be are left as they are', () => {
    expect(fittedQuestions([aQuestion()])).toEqual([aQuestion()]);
  });

  it('[quality] of a megabyte are cut, and the card says so', () => {
    const [fitted] = fittedQuestions([aQuestion({ question: 'x'.repeat(1_000_000) })]);
    expect(fitted?.question).toHaveLength(LIMITS.questionText);
    expect(fitted?.notes).toEqual([
      { code: 'text-cut', params: { field: 'question', kept: '20000', dropped: '980000' } },
    ]);
  });

  it('[quality] with ten thousand options keep the first hundred, and the card says so', () => {
    const options = Array.from({ length: 10_000 }, (_, at) => ({ label: `${at}` }));
    const [fitted] = fittedQuestions([aQuestion({ options, recommended: 9_999 })]);
    expect(fitted?.options).toEqual(options.slice(0, 100));
    expect(fitted?.recommended).toBeUndefined();
    expect(fitted?.notes).toEqual([
      { code: 'options-dropped', params: { kept: '100', dropped: '9900' } },
    ]);
  });

  it('[link.6] have NUL bytes and half surrogate pairs made visible', () => {
    const [fitted] = fittedQuestions([aQuestion({ question: 'a\0b\ud800', options: [] })]);
    expect(fitted?.question).toBe('a\u2400b\ufffd');
  });

  it('[link.6] eight of them, each as large as allowed, still fit a frame', () => {
    const option = {
      label: '語'.repeat(LIMITS.optionLabel),
      description: '語'.repeat(LIMITS.optionDescription),
      preview: '語'.repeat(LIMITS.optionPreview),
    };
    const options = Array.from({ length: LIMITS.options }, () => option);
    const question = '\u0001'.repeat(LIMITS.questionText);
    const asked = Array.from({ length: 8 }, () => aQuestion({ question, options }));
    const fitted = fittedQuestions(asked);
    expect(isTaken(fitted)).toBe(true);
    expect(fitted.every(({ notes }) => notes.length > 0)).toBe(true);
  });

  it('[quality] beyond the eighth stand on the last card as text', () => {
    const asked = Array.from({ length: 10 }, (_, at) => aQuestion({ question: `Question ${at}` }));
    const fitted = fittedQuestions(asked);
    expect(fitted).toHaveLength(8);
    expect(fitted[7]?.question).toBe('Question 7\n\nQuestion 8\n- Yes\n\nQuestion 9\n- Yes');
    expect(fitted[7]?.notes).toEqual([{ code: 'unreadable-shown-as-text', params: {} }]);
  });

  it('[quality] whatever a driver hands over, the hub takes them and none is dropped in silence', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const loose = fc.oneof(
      fc.record({
        kind: fc.constant('question'),
        question: text,
        options: fc.array(fc.record({ label: text, description: text }), { maxLength: 200 }),
        allowsSeveral: fc.boolean(),
      }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(loose, { maxLength: 12 }), (asked) => {
        const fitted = fittedQuestions(asked);
        return isTaken(fitted) && fitted.length === Math.min(Math.max(asked.length, 1), 8);
      }),
      { numRuns: 200 },
    );
  });
});

describe('events on their way to the hub', () => {
  const toolCalled = (input: Json): AgentEventOf<'tool-called'> => ({
    kind: 'tool-called',
    turnId,
    toolCallId,
    tool: 'Bash',
    title: 'ls',
    input,
    inputCut: false,
  });
  const text = (of: string): AgentEvent => ({ kind: 'text', turnId, blockId: 'b', text: of });

  it('[link.6] with a long text go in parts that make up the whole', () => {
    const whole = 'é'.repeat(150_000);
    const parts = fittedEvents(text(whole));
    expect(parts.map((event) => (event.kind === 'text' ? event.part : undefined))).toEqual([
      { index: 0, last: false },
      { index: 1, last: false },
      { index: 2, last: true },
    ]);
    expect(parts.map((event) => (event.kind === 'text' ? event.text : '')).join('')).toBe(whole);
  });

  it('[link.6] full of control characters fit a frame, with their pictures shown', () => {
    const [only, more] = fittedEvents(text('\u001b'.repeat(LIMITS.blockText)));
    expect(more).toBeUndefined();
    expect(only).toMatchObject({ text: '\u241b'.repeat(LIMITS.blockText) });
    expect(jsonBytes(only)).toBeLessThan(LIMITS.linkFrameBytes);
  });

  it('[quality] with a tool’s output over the limit are cut and marked', () => {
    const output = 'x'.repeat(LIMITS.toolOutput + 1);
    const parts = fittedEvents({
      ...{ kind: 'tool-returned', turnId, toolCallId, output },
      ...{ failed: false, outputCut: false },
    });
    expect(parts).toHaveLength(Math.ceil(LIMITS.toolOutput / LIMITS.blockText));
    expect(parts.every((event) => event.kind === 'tool-returned' && event.outputCut)).toBe(true);
  });

  it('[quality] with arguments nested without end are marked as cut, and nothing overflows', () => {
    let deep: Json = 1;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect(fittedEvents(toolCalled(deep))).toMatchObject([
      { input: '(nested too deeply to be shown)', inputCut: true },
    ]);
  });

  it('[quality] that end a turn still end it when what they say of its use is nonsense', () => {
    const event = { kind: 'turn-ended', turnId, outcome: 'done', usage: { inputTokens: NaN } };
    expect(fittedEvents(event as AgentEvent)).toEqual([
      { kind: 'turn-ended', turnId, outcome: 'done' },
    ]);
  });

  it('[link.6] whatever a driver tells, the hub takes it', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 2_000 });
    const events = fc.oneof(
      anyText.map(text),
      fc.jsonValue({ maxDepth: 60 }).map((input) => toolCalled(input as Json)),
      fc.record({
        kind: fc.constant('notice'),
        severity: fc.constant('info'),
        code: anyText,
        text: anyText,
        params: fc.dictionary(anyText, anyText),
      }) as fc.Arbitrary<AgentEvent>,
    );
    fc.assert(
      fc.property(events, (event) =>
        fittedEvents(event).every(
          (fitted) =>
            AgentEvent.safeParse(fitted).success && jsonBytes(fitted) < LIMITS.linkFrameBytes,
        ),
      ),
      { numRuns: 300 },
    );
  });

  it('[link.1] of one turn of the event loop go as one message, in order', async () => {
    const sent: AgentEvent[][] = [];
    const pending = new PendingEvents((events) => sent.push(events));
    for (const letter of ['a', 'b', 'c']) pending.add(text(letter));
    await Promise.resolve();
    expect(sent).toEqual([[text('a'), text('b'), text('c')]]);
  });

  it('[link.6] go as several messages where one would be too large', () => {
    const sent: AgentEvent[][] = [];
    const pending = new PendingEvents((events) => sent.push(events));
    for (let at = 0; at < 10; at += 1) pending.add(text('x'.repeat(60_000)));
    pending.flush();
    expect(sent.flat()).toHaveLength(10);
    expect(Math.max(...sent.map(jsonBytes))).toBeLessThan(LIMITS.linkFrameBytes);
  });
});
