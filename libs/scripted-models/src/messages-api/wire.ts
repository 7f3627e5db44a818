import type { Message, ModelCall, Piece, ToolOffer } from '../model-call.js';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fields = (value: unknown): Fields => (isFields(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const string = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The text of a `content` that is a string or a list of blocks. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((block) => string(fields(block)['text']))
    .join('\n');
}

const PIECES: Readonly<Record<string, (block: Fields) => Piece>> = {
  text: (block) => ({ kind: 'text', text: string(block['text']) }),
  thinking: (block) => ({ kind: 'thinking', text: string(block['thinking']) }),
  tool_use: (block) => ({
    kind: 'tool',
    id: string(block['id']),
    name: string(block['name']),
    input: block['input'],
  }),
  tool_result: (block) => ({
    kind: 'tool-result',
    id: string(block['tool_use_id']),
    text: contentText(block['content']),
    failed: block['is_error'] === true,
  }),
};

function readPiece(block: unknown): Piece {
  const type = string(fields(block)['type']);
  return PIECES[type]?.(fields(block)) ?? { kind: 'other', type };
}

/** `role: "system"` occurs among the messages too (the client puts its reminders there). */
function readMessage(message: unknown): Message {
  const { role, content } = fields(message);
  const known = role === 'assistant' || role === 'system' ? role : 'user';
  const pieces: Piece[] =
    typeof content === 'string' ? [{ kind: 'text', text: content }] : list(content).map(readPiece);
  return { role: known, pieces };
}

function readTool(tool: unknown): ToolOffer {
  const { name, description, input_schema: schema } = fields(tool);
  return { name: string(name), description: string(description), schema };
}

/** Reads the body of `POST /v1/messages`. */
export function readCall(n: number, body: unknown, headers: ModelCall['headers']): ModelCall {
  const { model, system, messages, tools } = fields(body);
  const offered = list(tools).map(readTool);
  return {
    n,
    model: string(model),
    system: contentText(system),
    messages: list(messages).map(readMessage),
    tools: offered.map((tool) => tool.name),
    offered,
    headers,
    body,
  };
}

/** The client names its session in `metadata.user_id`; what has none shares one name. */
export const conversationOf = (body: unknown): string =>
  string(fields(fields(body)['metadata'])['user_id']);

export const wantsStream = (body: unknown): boolean => fields(body)['stream'] === true;
