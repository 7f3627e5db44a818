import { randomUUID } from 'node:crypto';
import type { Failure, SessionSpec, ToolCallId } from '#contracts';
import type { AgentSession } from '#provider-kit';
import { reallyAt } from '../disk/really-at.js';
import type { ConversationState } from '../journal/journal-shapes.js';
import type { RuntimeLease } from '../providers/runtime-lease.js';
import { actionGate } from './action-gate.js';
import { within } from './bounded-wait.js';
import type { ConversationHost, ConversationProvider } from './conversation-host.js';
import type { Outlet } from './outlet.js';
import { ProcessEnd } from './process-end.js';
import {
  ENDED_AT_ONCE,
  JOURNAL_FULL,
  JOURNAL_LOST,
  START_HANGS,
  STOPPED,
  type CloseReason,
} from './process-words.js';
import { GuardedSink, type SessionTold } from './session-sink.js';

export interface AgentProcessParts {
  readonly host: ConversationHost;
  readonly outlet: Outlet;
  readonly state: Readonly<ConversationState>;
  /** What the session says of requests and messages; the process itself sees to the rest. */
  readonly told: Pick<SessionTold, 'event' | 'delta' | 'ask' | 'withdrawn' | 'taken' | 'pickedUp'>;
  /** Whether the journal can take no more of what an agent says (link rule 5). */
  isFull(): boolean;
  /** A start is over, whether a session came of it or not: it runs, or will run, in the mode as it is now. */
  started(): void;
  /** The session is gone, whether asked to or not. */
  ended(): void;
}

/** The agent's process of one conversation: started when needed, told of when it ends, put to sleep when idle. */
export class AgentProcess {
  /** What is told where the agent's process is not there to tell it. */
  readonly end: ProcessEnd;
  readonly #live = new Set<ToolCallId>();
  #session: AgentSession | undefined;
  #sink: GuardedSink | undefined;
  #lease: RuntimeLease | undefined;
  #starting: Promise<AgentSession> | undefined;
  #closing: CloseReason | undefined;
  #ending: Promise<void> = Promise.resolve();
  #letGo = false;

  constructor(private readonly parts: AgentProcessParts) {
    const { outlet, state } = parts;
    this.end = new ProcessEnd({ outlet, state, canResume: () => this.canResume });
  }

  get session(): AgentSession | undefined {
    return this.#closing === undefined ? this.#session : undefined;
  }

  get isStarting(): boolean {
    return this.#starting !== undefined;
  }

  /** Whether the session that is in use was started with settings that have changed since. */
  get isOutdated(): boolean {
    return this.session !== undefined && this.#lease?.isOutdated === true;
  }

  get isBusy(): boolean {
    return this.#starting !== undefined || this.#session !== undefined;
  }

  /** Whether the client waits in this call. */
  isLive(call: ToolCallId): boolean {
    return this.#session !== undefined && this.#live.has(call);
  }

  asked(call: ToolCallId): void {
    this.#live.add(call);
  }

  answered(call: ToolCallId): void {
    this.#live.delete(call);
  }

  /** Whether an ended process can be resumed, so that its cards stay open (C9). */
  get canResume(): boolean {
    const { spec, sessionRef } = this.parts.state;
    if (spec === undefined || sessionRef === undefined) return false;
    try {
      return this.provider(spec).descriptor.capabilities.resume;
    } catch {
      return false; // A provider that this relay does not have any more resumes nothing.
    }
  }

  /** The provider of this conversation. Throws a `DriverFailure` where the relay does not have it. */
  provider(spec: SessionSpec = this.#spec()): ConversationProvider {
    return this.parts.host.provider(spec.provider);
  }

  /** The session in use, started or resumed where none is. Rejects with the driver's failure. */
  ensure(): Promise<AgentSession> {
    if (this.session !== undefined) return Promise.resolve(this.session);
    if (this.parts.isFull()) return Promise.reject(JOURNAL_FULL);
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
      this.parts.started();
    });
    return this.#starting;
  }

  /** Ends the session where one is; a start that is under way is ended as soon as it is done. */
  async close(reason: CloseReason): Promise<void> {
    if (reason === 'let-go' || reason === 'relay-stopping') this.#letGo = true;
    const session = this.#session;
    if (session === undefined || this.#closing !== undefined) return;
    this.#closing = reason;
    this.#ending = this.#end(session);
    await this.#ending;
  }

  async #end(session: AgentSession): Promise<void> {
    const { host, state } = this.parts;
    const closed = await within(session.close(), host.times.closeMs).catch((error: unknown) => {
      host.log.warn({ err: error, conversation: state.conversationId }, 'a session did not close');
      return false;
    });
    if (closed === false) await host.children.stopAllOf(state.conversationId);
    if (this.#session === session) this.#ended({ expected: true });
  }

  /** Says how the process of an earlier life of the relay ended. */
  recover(): void {
    this.end.ofEarlierLife();
  }

  async #start(): Promise<AgentSession> {
    // Two sessions at once would be taken for each other.
    await this.#ending;
    const lease = await this.provider().acquire();
    try {
      return await this.parts.host.throttled(() => this.#startWith(lease));
    } catch (error) {
      lease.release();
      throw error;
    }
  }

  async #startWith(lease: RuntimeLease): Promise<AgentSession> {
    const { host, outlet, state } = this.parts;
    if (this.#letGo) throw STOPPED;
    outlet.send({ kind: 'process', state: 'starting' });
    const sink = new GuardedSink(this.#told(), (error) =>
      host.log.error(
        { err: error, conversation: state.conversationId },
        'an event could not be taken',
      ),
    );
    const resume = this.canResume ? state.sessionRef : undefined;
    // A client may have been installed in between: what holds is the mode as it is now (M6).
    const spec = this.#spec();
    try {
      const starting = host.children.within(state.conversationId, () =>
        lease.runtime.start({
          folder: spec.folder,
          mode: spec.mode,
          gate: this.#gate(),
          proposedRef: state.sessionRef ?? randomUUID(),
          pending: [...state.waiting, ...this.#undelivered()],
          sink,
          ...(spec.engine !== undefined && { engine: spec.engine }),
          ...(spec.model !== undefined && { model: spec.model }),
          ...(resume !== undefined && { resume }),
        }),
      );
      const session = await this.#inTime(starting);
      await this.#catchUpMode(session, spec);
      return await this.#started(session, sink, lease);
    } catch (error) {
      sink.close();
      this.end.endTurn('interrupted');
      outlet.send({ kind: 'process', state: this.end.restState() });
      throw error;
    }
  }

  /** M6: what it says follows the mode as it is at each action, not as it was at the start. */
  #gate(): ReturnType<typeof actionGate> {
    const { host } = this.parts;
    return actionGate({
      folder: reallyAt(this.#spec().folder),
      secretFolders: host.secretFolders,
      mode: () => this.#spec().mode,
      hubAwayMs: () => host.hubAwayMs(),
    });
  }

  /** A start that hangs must not keep all others waiting for their turn. */
  async #inTime(starting: Promise<AgentSession>): Promise<AgentSession> {
    const { host, state } = this.parts;
    if (await within(starting, host.times.startMs)) return starting;
    void starting.then(
      (session) => session.close(),
      () => undefined,
    );
    await host.children.stopAllOf(state.conversationId);
    throw START_HANGS;
  }

  /** M6: a mode that was set while the client came up holds before the agent gets anything. */
  async #catchUpMode(session: AgentSession, startedWith: SessionSpec): Promise<void> {
    let inForce = startedWith;
    try {
      for (let spec = this.#spec(); spec.modeVersion !== inForce.modeVersion; spec = this.#spec()) {
        const set = await within(session.setMode(spec.mode), this.parts.host.times.startMs);
        if (!set) throw START_HANGS;
        inForce = spec;
      }
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  async #started(
    session: AgentSession,
    sink: GuardedSink,
    lease: RuntimeLease,
  ): Promise<AgentSession> {
    const { outlet, state } = this.parts;
    if (this.#letGo) {
      sink.close();
      await session.close();
      throw STOPPED;
    }
    if (!sink.isOpen) throw ENDED_AT_ONCE;
    this.#session = session;
    this.#sink = sink;
    this.#lease = lease;
    this.#noteRef(session.sessionRef);
    outlet.send({ kind: 'process', state: 'live' });
    if (this.#questionsSurvive()) for (const call of state.waiting) this.#live.add(call);
    return session;
  }

  #told(): SessionTold {
    const { told } = this.parts;
    return {
      ...told,
      sessionRef: (ref) => this.#noteRef(ref),
      withdrawn: (call) => {
        // A session that the relay ends gives up its calls; that withdraws no question (C9).
        if (this.#closing === undefined) told.withdrawn(call);
      },
      ended: (how) => this.#ended(how),
    };
  }

  #noteRef(sessionRef: string): void {
    const { outlet, state } = this.parts;
    if (state.sessionRef !== sessionRef) outlet.send({ kind: 'session-started', sessionRef });
  }

  #ended(how: { expected: boolean; failure?: Failure }): void {
    const reason = this.#closing;
    if (this.#session === undefined) return;
    this.#session = undefined;
    this.#sink?.close();
    this.#lease?.release();
    this.#lease = undefined;
    this.#closing = undefined;
    this.#live.clear();
    this.parts.outlet.flush();
    if (reason === undefined) this.end.died(how.failure);
    else this.end.closed(reason);
    this.parts.ended();
  }

  #questionsSurvive(): boolean {
    return this.provider().descriptor.capabilities.questionSurvivesRestart;
  }

  #undelivered(): ToolCallId[] {
    return this.parts.state.work.flatMap((work) =>
      work.kind === 'answer' ? [work.give.toolCallId] : [],
    );
  }

  #spec(): SessionSpec {
    if (this.parts.state.spec !== undefined) return this.parts.state.spec;
    throw JOURNAL_LOST;
  }
}
