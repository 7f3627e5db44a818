import type { Message, ModelCall, Piece } from '#scripted-models';
import { ASKING_TOOL, SAYING_TOOL } from './asking-tool.js';
import type { SessionFile } from './session-file.js';

const OFFERED = [ASKING_TOOL, SAYING_TOOL];
const BROKEN_OFF = '[The call was interrupted: its result is not known.]';

/** What the agent remembers: everything said, kept in its record as it is said. */
export class ConversationMemory {
  readonly #messages: Message[] = [];
  #calls = 0;

  constructor(
    private readonly file: SessionFile,
    private readonly sessionRef: string,
  ) {
    const lines = file.read();
    for (const line of lines) if (line.kind === 'message') this.#messages.push(line.message);
    this.#closeOpenCalls(
      new Map(
        lines.flatMap((line) => (line.kind === 'result' ? [[line.toolCallId, line.text]] : [])),
      ),
    );
  }

  hear(text: string, messageIds: string[] = []): void {
    this.#add({ role: 'user', pieces: [{ kind: 'text', text }] }, messageIds);
  }

  reply(pieces: readonly Piece[]): void {
    this.#add({ role: 'assistant', pieces });
  }

  results(pieces: readonly Extract<Piece, { kind: 'tool-result' }>[]): void {
    this.#add({ role: 'user', pieces });
  }

  /** What is sent to the model now. */
  call(): ModelCall {
    this.#calls += 1;
    return {
      n: this.#calls,
      model: 'scripted',
      system: `session ${this.sessionRef}`,
      messages: [...this.#messages],
      tools: OFFERED,
      offered: [],
      headers: {},
      body: undefined,
    };
  }

  /**
   * A model is never sent a call without a result. One that was taken is in the record even where the process
   * died before the model was sent it; what has none is said to be unknown.
   */
  #closeOpenCalls(taken: ReadonlyMap<string, string>): void {
    const pieces = this.#messages.flatMap((message) => message.pieces);
    const done = new Set(
      pieces.flatMap((piece) => (piece.kind === 'tool-result' ? [piece.id] : [])),
    );
    const open = pieces.flatMap((piece) => (piece.kind === 'tool' ? [piece.id] : []));
    const missing = open.filter((id) => !done.has(id));
    if (missing.length === 0) return;
    this.results(
      missing.map((id) => ({
        kind: 'tool-result',
        id,
        text: taken.get(id) ?? BROKEN_OFF,
        failed: !taken.has(id),
      })),
    );
  }

  #add(message: Message, messageIds: string[] = []): void {
    this.#messages.push(message);
    this.file.append({ kind: 'message', message, messageIds });
  }
}
