import { randomUUID } from 'node:crypto';
import { ToolCallId, type Failure, type GiveAnswer, type MessageId, type TurnId } from '#contracts';
import {
  DriverFailure,
  type AgentSession,
  type SessionSink,
  type StartSession,
} from '#provider-kit';
import type { InProcessModel, Piece } from '#scripted-models';
import { ASKING_TOOL, readQuestions, resultText } from './asking-tool.js';
import { ConversationMemory } from './conversation-memory.js';
import { modelFailure, readReply, type ReplyRead } from './reply.js';
import type { SessionFile } from './session-file.js';

type ToolPiece = Extract<Piece, { kind: 'tool' }>;
type ResultPiece = Extract<Piece, { kind: 'tool-result' }>;

/** Thrown through a turn that is stopped from outside. */
class TurnStopped extends Error {}

const ENDED: Failure = { code: 'client-ended', message: 'The scripted agent was killed.' };

export interface ScriptedSessionParts {
  model: InProcessModel;
  file: SessionFile;
  sessionRef: string;
}

/** An agent that runs in this process: as quick as code, with everything that a real one does. */
export class ScriptedSession implements AgentSession {
  readonly sessionRef: string;
  readonly #sink: SessionSink;
  readonly #memory: ConversationMemory;
  readonly #waiting = new Map<ToolCallId, (result: GiveAnswer) => void>();
  #inbox: { messageId: MessageId; text: string }[] = [];
  #turn: { turnId: TurnId; stop: (why: TurnStopped) => void; stopped: Promise<never> } | undefined;
  #over = false;

  constructor(
    private readonly parts: ScriptedSessionParts,
    start: StartSession,
  ) {
    this.sessionRef = parts.sessionRef;
    this.#sink = start.sink;
    this.#memory = new ConversationMemory(parts.file, parts.sessionRef);
    this.#sink.sessionRef(this.sessionRef);
  }

  send(message: { messageId: MessageId; text: string }): Promise<void> {
    if (this.#over) return Promise.reject(new DriverFailure(ENDED));
    this.#inbox.push(message);
    if (this.#turn === undefined) void this.#runTurns();
    return Promise.resolve();
  }

  answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    const settle = this.#waiting.get(result.toolCallId);
    if (settle === undefined) return Promise.resolve('not-waiting');
    this.#waiting.delete(result.toolCallId);
    settle(result);
    return Promise.resolve('handed');
  }

  interrupt(): Promise<void> {
    for (const toolCallId of this.#waiting.keys()) this.#sink.withdrawn(toolCallId);
    this.#waiting.clear();
    this.#turn?.stop(new TurnStopped());
    return Promise.resolve();
  }

  setMode(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#end({ expected: true });
    return Promise.resolve();
  }

  /** What `kill -9` of a real client's process comes to. */
  crash(): void {
    this.#end({ expected: false, failure: ENDED });
  }

  #end(how: { expected: boolean; failure?: Failure }): void {
    if (this.#over) return;
    this.#over = true;
    const turnId = this.#waiting.size === 0 ? this.#turn?.turnId : undefined;
    this.#waiting.clear();
    this.#turn?.stop(new TurnStopped());
    if (turnId !== undefined) {
      const ended = { kind: 'turn-ended', turnId } as const;
      this.#sink.event(
        how.failure === undefined
          ? { ...ended, outcome: 'interrupted' }
          : { ...ended, outcome: 'failed', failure: how.failure },
      );
    }
    this.#sink.ended(how);
  }

  async #runTurns(): Promise<void> {
    while (this.#inbox.length > 0 && !this.#over) await this.#runTurn();
  }

  async #runTurn(): Promise<void> {
    const turnId = randomUUID() as TurnId;
    const stopped = new Promise<never>((_, stop) => {
      this.#turn = { turnId, stop, stopped: undefined as never };
    });
    stopped.catch(() => undefined);
    if (this.#turn !== undefined) this.#turn.stopped = stopped;
    this.#sink.event({ kind: 'turn-started', turnId });
    const end = await this.#work(turnId).catch((cause: unknown) => {
      if (cause instanceof TurnStopped) return undefined;
      throw cause;
    });
    this.#turn = undefined;
    if (this.#over) return;
    this.#sink.event({ kind: 'turn-ended', turnId, ...(end ?? { outcome: 'interrupted' }) });
  }

  async #work(turnId: TurnId): Promise<TurnEnd> {
    const usage = { inputTokens: 0, outputTokens: 0 };
    for (;;) {
      this.#hear();
      const reply = await this.#ask(turnId);
      if (reply.kind === 'failed') return { outcome: 'failed', failure: reply.failure };
      usage.inputTokens += reply.usage.input;
      usage.outputTokens += reply.usage.output;
      this.#memory.reply(reply.pieces);
      const calls = reply.pieces.filter((piece): piece is ToolPiece => piece.kind === 'tool');
      if (calls.length === 0) return { outcome: 'done', usage };
      const results = Promise.all(calls.map((call) => this.#run(turnId, call)));
      this.#memory.results(await this.#unlessStopped(results));
    }
  }

  #hear(): void {
    for (const { messageId, text } of this.#inbox.splice(0)) {
      this.#memory.hear(text, [messageId]);
      this.#sink.pickedUp(messageId);
    }
  }

  async #ask(turnId: TurnId): Promise<ReplyRead> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = this.parts.model.reply(this.#memory.call(), this.sessionRef);
      if (reply.kind === 'parts') {
        const at = { turnId, sink: this.#sink };
        return this.#unlessStopped(readReply(reply, at));
      }
      const failure = modelFailure(reply.failure);
      if (attempt > 1) return { kind: 'failed', failure };
      const text = `${failure.message} Trying again in 0 s.`;
      this.#sink.event({
        kind: 'notice',
        severity: 'warning',
        code: 'api-retry',
        params: {},
        text,
      });
    }
  }

  async #run(turnId: TurnId, call: ToolPiece): Promise<ResultPiece> {
    const { text, failed } = await this.#result(turnId, call);
    const toolCallId = ToolCallId.parse(call.id);
    this.#sink.event({
      kind: 'tool-returned',
      turnId,
      toolCallId,
      output: text,
      failed,
      outputCut: false,
    });
    return { kind: 'tool-result', id: call.id, text, failed };
  }

  async #result(turnId: TurnId, call: ToolPiece): Promise<{ text: string; failed: boolean }> {
    if (call.name !== ASKING_TOOL) {
      const { output } = call.input as { output?: unknown };
      return { text: String(output), failed: false };
    }
    const read = readQuestions(call.input);
    if ('wrong' in read) return { text: read.wrong, failed: true };
    const toolCallId = ToolCallId.parse(call.id);
    const answer = new Promise<GiveAnswer>((settle) => this.#waiting.set(toolCallId, settle));
    const questions = read.questions.map(({ question }) => question);
    this.#sink.ask({ toolCallId, turnId, questions });
    const text = resultText(await this.#unlessStopped(answer));
    this.parts.file.append({ kind: 'result', toolCallId, text });
    this.#sink.taken(toolCallId);
    return { text, failed: false };
  }

  #unlessStopped<T>(work: Promise<T>): Promise<T> {
    return this.#turn === undefined ? work : Promise.race([work, this.#turn.stopped]);
  }
}

type TurnEnd =
  | { outcome: 'done'; usage: { inputTokens: number; outputTokens: number } }
  | { outcome: 'failed'; failure: Failure };
