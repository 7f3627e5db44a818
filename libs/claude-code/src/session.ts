import {
  askingInstructions,
  type Failure,
  type GiveAnswer,
  type MessageId,
  type RelayMode,
  type ToolCallId,
} from '#contracts';
import {
  DriverFailure,
  type AgentSession,
  type DriverHost,
  type SessionSink,
  type StartSession,
} from '#provider-kit';
import { QUESTION_TOOL } from './asked.js';
import { Asking } from './asking.js';
import { ToolGate } from './gate.js';
import { MessageQueue } from './message-queue.js';
import { ClientProcess } from './process.js';
import type { ClaudeSdk, ClientMode, SdkOptions, SdkQuery } from './sdk.js';
import { ToHub } from './to-hub.js';
import { SessionRecord } from './session-record.js';
import type { Transcript } from './transcript.js';
import type { TurnUsage } from './usage.js';

export interface SessionParts {
  sdk: ClaudeSdk;
  host: DriverHost;
  what: string;
  configFolder: string;
  /** The client's own files of its plans, as the folder really is. */
  plansFolder: string;
  /** A folder of ours without settings, in place of the settings that lie in the agent's folder. */
  projectConfigRoot: string;
  environment: Record<string, string>;
  model: string | undefined;
  usage: TurnUsage;
  /** Whether the client has a session of this name to go on with. */
  resumes: boolean;
  sessionRef: string;
}

const clientModeOf = (mode: RelayMode): ClientMode => (mode === 'plan' ? 'plan' : 'default');

const ENDED = new DriverFailure({
  code: 'client-ended',
  message: 'The agent’s client is not running.',
  advice: 'Send the message again: the conversation is resumed.',
});

/** One agent at work in a child process of its own. */
export class ClaudeCodeSession implements AgentSession {
  readonly sessionRef: string;
  readonly #sink: SessionSink;
  readonly #queue = new MessageQueue(ENDED);
  readonly #asking: Asking;
  readonly #gate: ToolGate;
  /** Messages that were handed to the client and have not come back in its stream. */
  readonly #unseen = new Set<MessageId>();
  /** Those of them that came before an interrupt. */
  #stopped = new Set<MessageId>();
  readonly #toHub: ToHub;
  readonly #record: SessionRecord;
  readonly #query: SdkQuery;
  #process: ClientProcess | undefined;
  #mode: RelayMode;
  #clientMode: ClientMode;
  #turnsEnded = 0;
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
    this.#clientMode = clientModeOf(session.mode);
    this.#record = new SessionRecord(parts.configFolder, parts.sessionRef);
    this.#gate = new ToolGate({
      gate: session.gate,
      place: { folder: session.folder, homeFolder: parts.host.homeFolder },
      plans: parts.plansFolder,
      mode: () => this.#mode,
    });
    this.#asking = new Asking({
      ...{ sink: session.sink, record: this.#record, gate: this.#gate },
      turn: () => this.#toHub.turns.begin(),
      seen: (id, of) => this.#seen(id, of),
      planDecided: (approved) => this.#planDecided(approved),
    });
    this.#toHub = new ToHub({
      sink: session.sink,
      usage: parts.usage,
      resultSeen: (id, of) => this.#asking.resultSeen(id, of),
      messageSeen: (id) => this.#messageSeen(id),
      turnEnded: () => {
        this.#turnsEnded += 1;
        this.#asking.turnEnded();
      },
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
    this.#unseen.add(message.messageId);
    return this.#queue.put({
      type: 'user',
      message: { role: 'user', content: message.text },
      parent_tool_use_id: null,
      uuid: message.messageId,
    });
  }

  answer(result: GiveAnswer): Promise<'handed' | 'not-waiting'> {
    return Promise.resolve(this.#asking.answer(result) ? 'handed' : 'not-waiting');
  }

  async interrupt(): Promise<void> {
    this.#toHub.interrupting();
    // The client forgets an interrupt by the time it takes the next message out of its queue (measured).
    this.#stopped = new Set(this.#unseen);
    // A client that dies meanwhile has nothing left to interrupt; its end is told by itself.
    await Promise.race([this.#query.interrupt(), this.over]).catch((cause: unknown) => {
      this.parts.host.log('debug', 'the client did not take the interrupt', {
        cause: String(cause),
      });
    });
  }

  /**
   * What the agent may do follows the relay's gate at once. The client itself is told to plan, or to stop planning; while
   * a plan waits for approval it is not: it leaves its plan mode by itself with the approval.
   */
  async setMode(mode: RelayMode): Promise<void> {
    this.#mode = mode;
    if (!this.#asking.hasPlan) await this.#tellMode();
  }

  hold(held: boolean): void {
    this.#process?.hold(held);
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#queue.close();
    this.#query.close();
    await this.over;
  }

  async #tellMode(): Promise<void> {
    const wanted = clientModeOf(this.#mode);
    if (wanted === this.#clientMode) return;
    this.#clientMode = wanted;
    const told = this.#query.setPermissionMode(wanted);
    // A client that dies meanwhile is started again in the mode that is in force.
    await Promise.race([told, this.over]);
  }

  #planDecided(approved: boolean): void {
    if (approved) this.#clientMode = 'default';
    this.#tellMode().catch((cause: unknown) => {
      this.parts.host.log('warn', 'the client did not change its mode', { cause: String(cause) });
    });
  }

  #options(session: StartSession): SdkOptions {
    const { parts } = this;
    return {
      cwd: session.folder,
      env: parts.environment,
      ...(parts.model !== undefined && { model: parts.model }),
      ...(parts.resumes ? { resume: parts.sessionRef } : { sessionId: parts.sessionRef }),
      permissionMode: this.#clientMode,
      settings: { useAutoModeDuringPlan: false },
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
        PreToolUse: [{ hooks: [this.#asking.hook], onFailure: 'block' }],
        PreSkillShellCommand: [
          { hooks: [() => Promise.resolve(this.#gate.hookOfSkill())], onFailure: 'block' },
        ],
      },
      canUseTool: this.#asking.canUseTool,
      spawnClaudeCodeProcess: ClientProcess.starter(parts.host, parts.what, (process) => {
        this.#process = process;
      }),
    };
  }

  async #listen(): Promise<void> {
    let cause: unknown;
    try {
      for await (const message of this.#query) this.#toHub.handle(message);
    } catch (thrown) {
      cause = thrown;
    }
    this.#queue.close();
    await this.#process?.ended;
    this.#record.close();
    this.#tellEnd(cause);
  }

  /**
   * With a question open the turn is not over: the session is resumed to take the answer (C9). A turn that
   * just broke off failed.
   */
  #tellEnd(cause: unknown): void {
    const failure = this.#closing ? undefined : this.#failure(cause);
    if (this.#asking.count === 0) {
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

  #seen(toolCallId: ToolCallId, { subAgent }: { subAgent: boolean }): void {
    if (subAgent) this.#sink.taken(toolCallId);
    else void this.#confirmTaken(toolCallId);
  }

  async #confirmTaken(toolCallId: ToolCallId): Promise<void> {
    const result = await this.#recorded(async (transcript) => {
      const recorded = await transcript.newResultOf(toolCallId);
      return recorded === 'none' ? undefined : recorded;
    });
    if (result === 'given' || result === 'worked-on') this.#sink.taken(toolCallId);
  }

  #messageSeen(messageId: MessageId): void {
    this.#unseen.delete(messageId);
    if (this.#stopped.delete(messageId)) void this.interrupt();
    void this.#confirmPickedUp(messageId);
  }

  async #confirmPickedUp(messageId: MessageId): Promise<void> {
    const has = await this.#recorded((transcript) => transcript.hasNewMessage(messageId));
    if (has !== undefined) this.#sink.pickedUp(messageId);
  }

  /**
   * The stream shows results and messages before the client's record has them. Were the client killed in between,
   * they would be gone although they were called delivered: the record is the evidence. Where a whole turn has come
   * and gone without it, the record is elsewhere (`/clear` begins another), and the agent worked on what it got.
   */
  async #recorded<T>(
    look: (transcript: Transcript) => Promise<T | undefined>,
  ): Promise<T | 'worked-on' | undefined> {
    const turn = this.#turnsEnded;
    const found = await this.#record.once(look, () => this.#turnsEnded > turn);
    if (found !== undefined || this.#record.isClosed) return found;
    this.parts.host.log('warn', 'the client does not record what it worked on', {
      session: this.sessionRef,
    });
    return 'worked-on';
  }
}
