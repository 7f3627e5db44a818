import { randomUUID } from 'node:crypto';
import {
  TurnId,
  type AskRequest,
  type HubMessage,
  type RelayMessageOf,
  type RequestOnRelay,
  type ToolCallId,
} from '#contracts';
import type { ConversationState } from '../journal/journal-shapes.js';
import type { UnreadableMessage } from '../journal/journal-shapes.js';
import type { Journal } from '../journal/journal.js';
import { fittedQuestions } from '../outgoing/fitted-questions.js';
import { AgentProcess } from './agent-process.js';
import { within } from './bounded-wait.js';
import type { ConversationHost } from './conversation-host.js';
import { failureOf } from './failure.js';
import { HandOver } from './hand-over.js';
import { Outlet } from './outlet.js';
import type { CloseReason } from './process-words.js';

/** One conversation in which something happens. At rest only its journal is kept. */
export class Conversation {
  readonly #outlet: Outlet;
  readonly #process: AgentProcess;
  readonly #handOver: HandOver;
  #idle: NodeJS.Timeout | undefined;
  #held = false;

  constructor(
    readonly journal: Journal,
    private readonly host: ConversationHost,
  ) {
    const { state } = journal;
    this.#outlet = new Outlet(journal, {
      journalled: () => this.#reviewPressure(),
      written: () => this.host.written(state.conversationId),
    });
    this.#process = new AgentProcess({
      host,
      outlet: this.#outlet,
      state,
      told: this.#told(),
      isFull: () => this.#held,
      ended: () => this.#handOver.sessionEnded(),
    });
    this.#handOver = new HandOver({ journal, outlet: this.#outlet, process: this.#process, host });
  }

  get state(): Readonly<ConversationState> {
    return this.journal.state;
  }

  /** Whether nothing runs, waits or is on its way, so that its journal alone says all there is to say. */
  get isAtRest(): boolean {
    const { waiting, turnId, sent, acked } = this.state;
    const quiet = waiting.length === 0 && turnId === undefined && sent === acked;
    return quiet && !this.#process.isBusy && !this.#handOver.isBusy;
  }

  /** After a start of the relay: ends what an earlier life of it left open. */
  recover(): void {
    this.#process.recover();
    const { modeToAcknowledge } = this.state;
    if (modeToAcknowledge !== undefined) this.#acknowledgeMode(modeToAcknowledge);
    if (this.state.interruptedAt !== undefined) this.#settleStopped(this.state.interruptedAt);
  }

  /** After each attach: tells how each open request stands (link rule 3), and goes on with what waits. */
  attached(): void {
    const { process, waiting } = this.state;
    this.#outlet.send({
      kind: 'snapshot',
      process,
      requests: waiting.map((toolCallId) => ({
        toolCallId,
        state: this.#requestState(toolCallId),
      })),
    });
    this.open();
  }

  /** The relay knows that the conversation is still its own: what waits may be handed to the agent. */
  open(): void {
    this.#handOver.open();
  }

  /** Takes the hub's message `n`; it is acknowledged once it is on the disk. */
  receive(n: number, message: HubMessage | UnreadableMessage): void {
    const { conversationId, epoch } = this.state;
    void this.journal
      .receive(n, message)
      .then(() => this.host.received({ conversationId, epoch, n }));
    this.#act(n, message);
    this.#reviewIdle();
  }

  /** The hub has the relay's messages up to `n`. */
  acknowledged(n: number): void {
    this.journal.acknowledged(n);
    this.#reviewPressure();
  }

  /** The hub refused a message for good; a question that went down with it is told to the agent as lost. */
  buried(n: number, refused: RelayMessageOf<'tombstone'>, calls: readonly AskRequest[]): void {
    void this.journal.bury(n, refused).then(() => this.host.written(this.state.conversationId));
    for (const call of calls) this.#loseRequest(call);
  }

  /** A client was installed or a setting made: what failed before may go well now. */
  tryAgain(): void {
    this.#handOver.tryAgain();
  }

  /** Lets go of what a conversation at rest needs no more. */
  rest(): void {
    clearTimeout(this.#idle);
    this.#handOver.close();
  }

  /** Ends the agent and everything that this conversation does. */
  async close(reason: Extract<CloseReason, 'relay-stopping' | 'let-go'>): Promise<void> {
    clearTimeout(this.#idle);
    this.#handOver.close();
    if (reason === 'let-go') this.#outlet.close();
    await this.#process.close(reason);
    if (reason === 'let-go') await this.host.children.stopAllOf(this.state.conversationId);
  }

  #act(n: number, message: HubMessage | UnreadableMessage): void {
    switch (message.kind) {
      case 'send-message':
        return this.#handOver.tryAgain();
      case 'give-answer':
        return this.#handOver.answerCame(message.toolCallId);
      case 'interrupt':
        return this.#interrupt(n);
      case 'set-mode':
        return this.#setMode(message.modeVersion);
      case 'unreadable':
        return this.#outlet.notice(
          'error',
          'unreadable-message',
          `The hub sent something that this version of the relay can't read, so it was left out: ${message.problem}`,
        );
      case 'assign':
      case 'forget':
        return;
    }
  }

  #interrupt(n: number): void {
    const found = this.#settleStopped(n);
    const { turnId } = this.state;
    if (this.#process.session === undefined || (turnId === undefined && found !== 'in-client')) {
      if (found === 'dropped' && turnId === undefined) {
        this.#outlet.emptyTurn(TurnId.parse(randomUUID()), { outcome: 'interrupted' });
      }
      return;
    }
    within(this.#process.session.interrupt(), this.host.times.interruptMs)
      .then((done) => (done ? undefined : this.#process.close('not-interruptible')))
      .catch((error: unknown) => {
        this.host.log.warn({ err: error }, 'a turn could not be interrupted');
        return this.#process.close('not-interruptible');
      });
  }

  /** Answers on their way are superseded (C11); questions that were open are nobody's any more. */
  #settleStopped(n: number): ReturnType<HandOver['stopped']> {
    const found = this.#handOver.stopped(n);
    for (const toolCallId of [...this.state.waiting]) {
      this.#outlet.send({ kind: 'request-ended', toolCallId, outcome: 'cancelled' });
    }
    return found;
  }

  #setMode(version: number): void {
    const { session } = this.#process;
    const { spec } = this.state;
    if (session === undefined || spec === undefined) return this.#acknowledgeMode(version);
    session.setMode(spec.mode).then(
      () => this.#acknowledgeMode(version),
      (error: unknown) => {
        const { message } = failureOf(error);
        this.#outlet.notice('error', 'mode-not-set', `The mode could not be changed: ${message}`);
      },
    );
  }

  #acknowledgeMode(version: number): void {
    this.#outlet.send({ kind: 'mode-acknowledged', version });
  }

  #told(): ConstructorParameters<typeof AgentProcess>[0]['told'] {
    return {
      event: (event) => {
        this.#outlet.event(event);
        if (event.kind === 'turn-ended') this.#outlet.flush();
        this.#reviewIdle();
      },
      delta: (delta) => this.host.delta(this.state.conversationId, delta),
      ask: (request) => this.#ask(request),
      withdrawn: (toolCallId) => this.#withdrawn(toolCallId),
      taken: (toolCallId) => this.#settled(() => this.#handOver.taken(toolCallId)),
      pickedUp: (messageId) => this.#settled(() => this.#handOver.pickedUp(messageId)),
    };
  }

  #ask(request: Omit<AskRequest, 'kind'>): void {
    const { toolCallId } = request;
    this.#process.asked(toolCallId);
    this.#reviewIdle();
    if (this.state.waiting.includes(toolCallId) || this.#handOver.askedAgain(toolCallId)) return;
    const questions = fittedQuestions(request.questions);
    this.#outlet.send({ ...request, kind: 'ask', questions });
  }

  #withdrawn(toolCallId: ToolCallId): void {
    this.#process.answered(toolCallId);
    this.#handOver.withdrawn(toolCallId);
    this.#outlet.send({ kind: 'request-ended', toolCallId, outcome: 'cancelled' });
    this.#reviewIdle();
  }

  #settled(evidence: () => void): void {
    evidence();
    this.#reviewIdle();
  }

  #loseRequest(call: AskRequest): void {
    const { spec } = this.state;
    const { session } = this.#process;
    this.#process.answered(call.toolCallId);
    this.#outlet.send({ kind: 'request-ended', toolCallId: call.toolCallId, outcome: 'lost' });
    session
      ?.answer({
        kind: 'give-answer',
        requestId: randomUUID() as never,
        toolCallId: call.toolCallId,
        outcome: 'lost',
        mode: spec?.mode ?? 'ask',
        cards: call.questions.map((question) => ({ question, outcome: 'lost' })),
      })
      .catch((error: unknown) =>
        this.host.log.warn({ err: error }, 'a lost question could not be told'),
      );
  }

  #requestState(toolCallId: ToolCallId): RequestOnRelay['state'] {
    if (this.#process.isLive(toolCallId)) return 'live';
    return this.#process.canResume ? 'detached' : 'unknown';
  }

  /** Link rule 5: a client whose words can't be kept for the hub any more is not read on. */
  #reviewPressure(): void {
    const { mostUnacknowledgedBytes } = this.host;
    const bytes = this.journal.unacknowledgedBytes;
    const { session } = this.#process;
    if (!this.#held && bytes > mostUnacknowledgedBytes) {
      this.#held = true;
      this.#outlet.notice('warning', 'journal-full', JOURNAL_FULL);
      if (session?.hold === undefined) void this.#process.close('journal-full');
      else session.hold(true);
    } else if (this.#held && bytes < mostUnacknowledgedBytes * 0.9) {
      this.#held = false;
      session?.hold?.(false);
      this.#handOver.tryAgain();
    }
  }

  /** A session in which nothing happens and nothing waits is put to sleep; one with an open card never is (C17). */
  #reviewIdle(): void {
    clearTimeout(this.#idle);
    if (!this.#isIdle()) return;
    this.#idle = setTimeout(() => {
      if (this.#isIdle()) void this.#process.close('idle');
    }, this.host.times.idleMs);
    this.#idle.unref();
  }

  #isIdle(): boolean {
    const { turnId, waiting } = this.state;
    const quiet = turnId === undefined && waiting.length === 0 && !this.#handOver.isBusy;
    return quiet && this.#process.session !== undefined;
  }
}

const JOURNAL_FULL =
  'The hub has not taken what this agent said for so long that nothing more can be kept for it, so the agent is held until it does.';
