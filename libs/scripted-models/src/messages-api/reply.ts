import type { Played } from '../player.js';
import type { Part, Step, Usage } from '../scenario.js';

/** One frame of the stream, or an order to the one who writes it. */
export type Frame =
  | { kind: 'event'; event: { type: string; [field: string]: unknown } }
  | { kind: 'piece'; event: { type: string; [field: string]: unknown } }
  | { kind: 'hold'; name: string }
  | { kind: 'break' };

interface Reply {
  id: string;
  model: string;
  step: Step;
  place: Played['place'];
}

const event = (type: string, more: Record<string, unknown>): Frame => ({
  kind: 'event',
  event: { type, ...more },
});

const wireUsage = (usage: Usage): Record<string, number> => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_input_tokens: usage.cacheRead ?? 0,
  cache_creation_input_tokens: usage.cacheWrite ?? 0,
});

/** Four characters a token is near enough for a scripted model. */
function usageOf(step: Step): Usage {
  const written = step.parts.reduce((sum, part) => sum + JSON.stringify(part).length, 0);
  return step.usage ?? { input: 1_000, output: Math.ceil(written / 4) };
}

export const stopReasonOf = (step: Step): string =>
  step.stopReason ?? (step.parts.some((part) => part.kind === 'tool') ? 'tool_use' : 'end_turn');

type ToolPart = Extract<Part, { kind: 'tool' }>;

/** Ids must be unique in a conversation: the place in the scenario and the reply's number make them so. */
const toolId = (reply: Reply, part: ToolPart, index: number): string =>
  part.id ?? `toolu_${reply.id}_${reply.place.step}_${index}`;

function pieces(value: string, size: number): string[] {
  const characters = Array.from(value);
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += size) {
    found.push(characters.slice(at, at + size).join(''));
  }
  return found;
}

const delta = (index: number, value: Record<string, unknown>): Frame => ({
  kind: 'piece',
  event: { type: 'content_block_delta', index, delta: value },
});

function blockFrames(index: number, start: Record<string, unknown>, deltas: Frame[]): Frame[] {
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas,
    event('content_block_stop', { index }),
  ];
}

function partFrames(reply: Reply, part: Part, at: { index: number; size: number }): Frame[] {
  const { index, size } = at;
  switch (part.kind) {
    case 'text':
      return blockFrames(
        index,
        { type: 'text', text: '' },
        pieces(part.text, size).map((piece) => delta(index, { type: 'text_delta', text: piece })),
      );
    case 'thinking':
      return blockFrames(index, { type: 'thinking', thinking: '', signature: '' }, [
        ...pieces(part.text, size).map((piece) =>
          delta(index, { type: 'thinking_delta', thinking: piece }),
        ),
        delta(index, { type: 'signature_delta', signature: 'c2NyaXB0ZWQ=' }),
      ]);
    case 'tool':
      return blockFrames(
        index,
        { type: 'tool_use', id: toolId(reply, part, index), name: part.name, input: {} },
        [delta(index, { type: 'input_json_delta', partial_json: JSON.stringify(part.input) })],
      );
    case 'hold':
      return [{ kind: 'hold', name: part.name }];
    case 'event':
      return [{ kind: 'event', event: part.event }];
    case 'break':
      return [{ kind: 'break' }];
  }
}

const BLOCKS = new Set<Part['kind']>(['text', 'thinking', 'tool']);
const isBlock = (part: Part): boolean => BLOCKS.has(part.kind);

/** The stream of one reply. `size` is how many characters of text go into one delta. */
export function replyFrames(reply: Reply, size: number): Frame[] {
  const usage = usageOf(reply.step);
  let index = 0;
  const body = reply.step.parts.flatMap((part) => {
    const frames = partFrames(reply, part, { index, size });
    if (isBlock(part)) index += 1;
    return frames;
  });
  return [
    event('message_start', {
      message: {
        id: `msg_${reply.id}`,
        type: 'message',
        role: 'assistant',
        model: reply.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: wireUsage({ ...usage, output: 1 }),
      },
    }),
    ...body,
    event('message_delta', {
      delta: { stop_reason: stopReasonOf(reply.step), stop_sequence: null },
      usage: wireUsage(usage),
    }),
    event('message_stop', {}),
  ];
}

function wholeBlock(reply: Reply, part: Part, index: number): Record<string, unknown>[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text }];
    case 'thinking':
      return [{ type: 'thinking', thinking: part.text, signature: 'c2NyaXB0ZWQ=' }];
    case 'tool':
      return [
        { type: 'tool_use', id: toolId(reply, part, index), name: part.name, input: part.input },
      ];
    case 'hold':
    case 'event':
    case 'break':
      return [];
  }
}

/** The same reply for a client that did not ask for a stream. */
export function wholeReply(reply: Reply): Record<string, unknown> {
  return {
    id: `msg_${reply.id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: reply.step.parts.flatMap((part, index) => wholeBlock(reply, part, index)),
    stop_reason: stopReasonOf(reply.step),
    stop_sequence: null,
    usage: wireUsage(usageOf(reply.step)),
  };
}
