import { randomUUID } from 'node:crypto';
import { ToolCallId, type Failure, type TurnId } from '#contracts';
import { inParts, oneLine, storableInput, type SessionSink } from '#provider-kit';
import type { ApiFailure, InProcessReply, NumberedPart, Piece, Usage } from '#scripted-models';

export type ReplyRead =
  { kind: 'read'; pieces: Piece[]; usage: Usage } | { kind: 'failed'; failure: Failure };

interface Place {
  turnId: TurnId;
  sink: SessionSink;
}

const CODES: Readonly<Record<number, string>> = {
  401: 'authentication',
  429: 'rate-limit',
  529: 'overloaded',
};

export const modelFailure = (failure: ApiFailure): Failure => ({
  code: CODES[failure.status] ?? 'provider-error',
  message: `The scripted model failed: ${failure.message}.`,
  advice: 'Send a message to try again.',
});

/** Reads a reply to its end, telling each piece as it comes. */
export async function readReply(
  reply: Extract<InProcessReply, { kind: 'parts' }>,
  at: Place,
): Promise<ReplyRead> {
  const pieces: Piece[] = [];
  for await (const numbered of reply.parts) {
    if (numbered.part.kind === 'break') {
      const failure = modelFailure({ status: 0, type: 'network', message: 'the connection broke' });
      return { kind: 'failed', failure };
    }
    const piece = tell(numbered, at);
    if (piece !== undefined) pieces.push(piece);
  }
  return { kind: 'read', pieces, usage: reply.usage };
}

function tell({ part }: NumberedPart, at: Place): Piece | undefined {
  switch (part.kind) {
    case 'text':
      return tellText('text', part.text, at);
    case 'thinking':
      return tellText('thought', part.text, at);
    case 'tool':
      return tellCall(part, at);
    case 'event':
    case 'break':
      return undefined;
  }
}

function tellText(kind: 'text' | 'thought', text: string, { turnId, sink }: Place): Piece {
  const blockId = randomUUID();
  sink.delta({ kind, turnId, blockId, offset: 0, text });
  for (const part of inParts(text)) sink.event({ kind, turnId, blockId, ...part });
  return { kind: kind === 'text' ? 'text' : 'thinking', text };
}

function tellCall(
  part: Extract<NumberedPart['part'], { kind: 'tool' }>,
  { turnId, sink }: Place,
): Piece {
  const id = part.id ?? randomUUID();
  sink.event({
    kind: 'tool-called',
    turnId,
    toolCallId: ToolCallId.parse(id),
    tool: part.name,
    title: oneLine(part.name),
    ...storableInput(part.input),
  });
  return { kind: 'tool', id, name: part.name, input: part.input };
}
