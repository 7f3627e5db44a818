import {
  ToolCallId,
  askingInstructions,
  type Failure,
  type GiveAnswer,
  type MessageId,
  type RelayMode,
  type TurnId,
} from '#contracts';
import {
  DriverFailure,
  type AgentSession,
  type DriverHost,
  type SessionSink,
  type StartSession,
} from '#provider-kit';
import { QUESTION_TOOL, readAsked, type Asked } from './asked.js';
import { gateHook, permissionFor } from './gate.js';
import { MessageQueue } from './message-queue.js';
import { ClientProcess } from './process.js';
import type { CanUseTool, ClaudeSdk, SdkOptions, SdkQuery } from './sdk.js';
import { ToHub } from './to-hub.js';
import { SessionRecord } from './session-record.js';
import type { TurnUsage } from './usage.js';
import { WaitingQuestions } from './waiting-questions.js';

export interface SessionParts {
  sdk: ClaudeSdk;
  host: DriverHost;
  what: string;
  configFolder: string;
  /** A folder of ours without settings, in place of the settings that lie in the agent's folder. */
  projectConfigRoot: string;
  environment: Record<string, string>;
  model: string | undefined;
  usage: TurnUsage;
  /** Whether the client has a session of this name to go on with. */
  resumes: boolean;
  sessionRef: string;
}

const ENDED = new DriverFailure({
  code: 'client-ended',
  message: 'The agent’s client is not running.',
  advice: 'Send the message again: the conversation is resumed.',
});

/** One agent at work in a child process of its own. */
export class ClaudeCodeSession implements AgentSession {
  readonly sessionRef: string;
  readonly #sink: SessionSink;
  readonly #queue = new MessageQueue();
  readonly #waiting = new WaitingQuestions();
  /** Calls that the relay knows of. */
  readonly #told = new Set<ToolCallId>();
  readonly #toHub: ToHub;
  readonly #record: SessionRecord;
  readonly #query: SdkQuery;
  #process: ClientProcess | undefined;
  #mode: RelayMode;
  #closing = false;
  /** Resolves when the process has ended and the relay was told so. */
  over: Promise<void> = Promise.resolve();

  private constructor(
    private readonly parts: SessionParts,
    session: StartSession,
  ) {
    this.sessionRef = parts.sessionRef;
    this.#sink = session.sink;
    this.#mode = session.mode;
    this.#record = new SessionRecord(parts.configFolder, parts.sessionRef);
    this.#toHub = new ToHub({
      sink: session.sink,
      usage: parts.usage,
      resultSeen: (id) => this.#resultSeen(id),
      turnEnded: () => this.#withdrawn(this.#waiting.turnEnded()),
    });
    this.#query = parts.sdk.query({ prompt: this.#queue, options: this.#options(session) });
  }

  /** Resolves once the client is up; rejects with what it complained about. */
  static async start(parts: SessionParts, start: StartSession): Promise<ClaudeCodeSession> {
    const session = new ClaudeCodeSession(parts, start);
    const up = session.#query.initializationResult();
    try {
      await up;
    } catch (cause) {
      session.#closing = true;
      session.#query.close();
      await session.#process?.ended;
      throw new DriverFailure(session.#failure(cause), { cause });
    }
    session.#sink.sessionRef(session.sessionRef);
    session.over = session.#listen();
    return session;
  }

  send(message: { messageId: MessageId; text: string }): Promise<void> {
    return this.#queue.put({
      type: 'user',
      message: { role: 'user', content: message.text },
      parent_tool_use_id: null,
      uuid: message.messageId,
    });
  }

  answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    return Promise.resolve(this.#waiting.answer(result) ? 'handed' : 'not-waiting');
  }

  async interrupt(): Promise<void> {
    this.#toHub.interrupting();
    // A client that dies meanwhile has nothing left to interrupt; its end is told by itself.
    await Promise.race([this.#query.interrupt(), this.over]).catch((cause: unknown) => {
      this.parts.host.log('debug', 'the client did not take the interrupt', {
        cause: String(cause),
      });
    });
  }

  setMode(mode: RelayMode): Promise<void> {
    this.#mode = mode;
    return Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#queue.close(ENDED);
    this.#query.close();
    await this.over;
  }

  #options(session: StartSession): SdkOptions {
    const { parts } = this;
    return {
      cwd: session.folder,
      env: parts.environment,
      ...(parts.model !== undefined && { model: parts.model }),
      ...(parts.resumes ? { resume: parts.sessionRef } : { sessionId: parts.sessionRef }),
      permissionMode: 'default',
      // The person's own settings, and the folder's CLAUDE.md. What else lies in a folder (hooks, allow rules,
      // servers to start, variables) would run code and lead keys elsewhere without a question.
      settingSources: ['user', 'project'],
      projectConfigRoot: parts.projectConfigRoot,
      includePartialMessages: true,
      forwardSubagentText: true,
      thinking: { type: 'adaptive', display: 'summarized' },
      systemPrompt: {
        type: 'preset',
        preset: 'claude_code',
        append: askingInstructions(QUESTION_TOOL),
      },
      toolConfig: { askUserQuestion: { previewFormat: 'markdown' } },
      // The client then gives each message back when it takes it out of its queue.
      extraArgs: { 'replay-user-messages': null },
      hooks: {
        PreToolUse: [
          { hooks: [(input) => Promise.resolve(gateHook(input, this.#mode))], onFailure: 'block' },
        ],
      },
      canUseTool: this.#canUseTool,
      spawnClaudeCodeProcess: ClientProcess.starter(parts.host, parts.what, (process) => {
        this.#process = process;
      }),
    };
  }

  readonly #canUseTool: CanUseTool = (tool, input, { signal, toolUseID }) => {
    if (tool !== QUESTION_TOOL) return Promise.resolve(permissionFor(tool, input, this.#mode));
    const toolCallId = ToolCallId.safeParse(toolUseID).data;
    if (toolCallId === undefined) {
      return Promise.resolve({ behavior: 'deny', message: 'The call has no usable id.' });
    }
    const asked = readAsked(toolCallId, input);
    const answer = this.#waiting.wait(asked, signal);
    void this.#askOnceRecorded(asked, this.#toHub.turns.begin());
    return answer;
  };

  /**
   * The client writes its record some 100 ms behind. A session that is killed before has nothing to be
   * resumed from, so a card is shown only once the call stands in the record.
   */
  async #askOnceRecorded(asked: Asked, turnId: TurnId): Promise<void> {
    const { toolCallId } = asked;
    await this.#record.until((transcript) => transcript.hasCall(toolCallId));
    if (!this.#waiting.has(toolCallId)) return;
    this.#told.add(toolCallId);
    const questions = asked.questions.map((question) => question.shown);
    this.#sink.ask({ toolCallId, turnId, questions });
  }

  async #listen(): Promise<void> {
    let cause: unknown;
    try {
      for await (const message of this.#query) this.#toHub.handle(message);
    } catch (thrown) {
      cause = thrown;
    }
    this.#queue.close(ENDED);
    await this.#process?.ended;
    this.#tellEnd(cause);
  }

  /**
   * With a question open the turn is not over: the session is resumed to take the answer (C9). A turn that
   * just broke off failed.
   */
  #tellEnd(cause: unknown): void {
    const failure = this.#closing ? undefined : this.#failure(cause);
    if (this.#waiting.count === 0) {
      if (failure === undefined) this.#toHub.turns.end('interrupted');
      else this.#toHub.turns.end('failed', { failure });
    }
    this.#sink.ended({ expected: this.#closing, ...(failure && { failure }) });
  }

  #failure(cause: unknown): Failure {
    const complaint = this.#process?.complaint ?? '';
    const said = complaint !== '' ? complaint : cause instanceof Error ? cause.message : '';
    return {
      code: 'client-ended',
      message: `The agent’s client ended unexpectedly${said === '' ? '.' : `: ${said.slice(-1_500)}`}`,
      advice: 'Send a message to resume the conversation.',
    };
  }

  #resultSeen(id: string): void {
    const seen = this.#waiting.resultSeen(id);
    if (seen === undefined) return;
    if (seen.means === 'withdrawn') return this.#withdrawn([seen.toolCallId]);
    void this.#confirmTaken(seen.toolCallId);
  }

  /**
   * The stream shows a result before the client's record has it. Were the client killed in between, the
   * answer would be gone although it was called delivered: the record is the evidence.
   */
  async #confirmTaken(toolCallId: ToolCallId): Promise<void> {
    const recorded = await this.#record.until(async (transcript) => {
      const result = await transcript.newResultOf(toolCallId);
      return result === 'none' ? undefined : result;
    });
    if (recorded === 'given') return this.#sink.taken(toolCallId);
    if (recorded === undefined) {
      this.parts.host.log('warn', 'the client shows a result that its record does not have', {
        toolCallId,
      });
    }
  }

  #withdrawn(toolCallIds: readonly ToolCallId[]): void {
    const told = toolCallIds.filter((toolCallId) => this.#told.delete(toolCallId));
    for (const toolCallId of told) this.#sink.withdrawn(toolCallId);
  }
}
