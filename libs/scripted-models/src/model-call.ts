/** One piece of a message, in words that every model API shares. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'thinking'; text: string }
  | { kind: 'tool'; id: string; name: string; input: unknown }
  | { kind: 'tool-result'; id: string; text: string; failed: boolean }
  | { kind: 'other'; type: string };

export interface Message {
  role: 'system' | 'user' | 'assistant';
  pieces: readonly Piece[];
}

/** One request for a reply, as the model was sent it. */
export interface ModelCall {
  /** Counted from 1 over the life of the server. */
  n: number;
  model: string;
  system: string;
  messages: readonly Message[];
  /** Names of the tools that the model was offered. */
  tools: readonly string[];
  /** The tools as they were offered, with description and schema. */
  offered: readonly ToolOffer[];
  /** Lower-cased names; keys and tokens are in here, so a test can see which one was sent. */
  headers: Readonly<Record<string, string>>;
  /** The body as it came, for facts that the common form leaves out. */
  body: unknown;
}

export interface ToolOffer {
  name: string;
  description: string;
  schema: unknown;
}

/** All text of a message. */
export const textOf = (message: Message): string =>
  message.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('\n');

/** Everything that the person, or the client in their name, wrote; the newest message last. */
export function personTexts(call: ModelCall): string[] {
  return call.messages.filter((message) => message.role === 'user').map(textOf);
}

/** What the model reads as the result of that tool call, to the letter; undefined when it has none yet. */
export function toolResult(call: ModelCall, toolCallId: string): string | undefined {
  return toolResults(call).find((result) => result.id === toolCallId)?.text;
}

/** The results that came since the model's last reply, in order. */
export function newToolResults(call: ModelCall): { id: string; text: string; failed: boolean }[] {
  const last = call.messages.findLastIndex((message) => message.role === 'assistant');
  return toolResults({ ...call, messages: call.messages.slice(last + 1) });
}

function toolResults(call: ModelCall): { id: string; text: string; failed: boolean }[] {
  return call.messages.flatMap((message) =>
    message.pieces.flatMap((piece) => (piece.kind === 'tool-result' ? [piece] : [])),
  );
}
