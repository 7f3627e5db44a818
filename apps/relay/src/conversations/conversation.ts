import { randomUUID } from 'node:crypto';
import type {
  AskRequest,
  HubMessage,
  RelayMessageOf,
  RequestOnRelay,
  ToolCallId,
} from '#contracts';
import type { ConversationState, UnreadableMessage } from '../journal/journal-shapes.js';
import type { Journal } from '../journal/journal.js';
import { fittedCards } from '../outgoing/fitted-cards.js';
import { AgentProcess } from './agent-process.js';
import { BackPressure } from './back-pressure.js';
import { within } from './bounded-wait.js';
import type { ConversationHost } from './conversation-host.js';
import { failureOf } from './failure.js';
import { HandOver } from './hand-over.js';
import { IdleSleep } from './idle-sleep.js';
import { Outlet } from './outlet.js';
import type { CloseReason } from './process-words.js';

/** One conversation in which something happens. At rest only its journal is kept. */
export class Conversation {
  readonly #outlet: Outlet;
  readonly #process: AgentProcess;
  readonly #handOver: HandOver;
  readonly #pressure: BackPressure;
  readonly #idle: IdleSleep;

  constructor(
    readonly journal: Journal,
    private readonly host: ConversationHost,
  ) {
    const { state } = journal;
    this.#outlet = new Outlet(journal, {
      journalled: () => this.#pressure.review(),
      written: () => this.host.written(state.conversationId),
    });
    this.#process = new AgentProcess({
      host,
      outlet: this.#outlet,
      state,
      told: this.#told(),
      isFull: () => this.#pressure.isHeld,
      started: () => this.#acknowledgeMode(),
      ended: () => this.#handOver.sessionEnded(),
    });
    this.#handOver = new HandOver({ journal, outlet: this.#outlet, process: this.#process, host });
    this.#pressure = new BackPressure({
      journal,
      mostUnacknowledgedBytes: host.mostUnacknowledgedBytes,
      session: () => this.#process.session,
      full: (closes) => this.#full(closes),
      free: () => this.#handOver.tryAgain(),
    });
    this.#idle = new IdleSleep({
      state,
      idleMs: host.times.idleMs,
      process: this.#process,
      isBusy: () => this.#handOver.isBusy,
    });
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
    this.#settleStopped();
    this.#process.recover();
    this.#acknowledgeMode();
    this.#process.end.endOwedTurn({ outcome: 'interrupted' });
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
    this.#idle.review();
  }

  /** The hub has the relay's messages up to `n`. */
  acknowledged(n: number): void {
    this.journal.acknowledged(n);
    this.#pressure.review();
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

  /** The settings of a provider have changed: an agent in whose work nothing happens begins anew with them. */
  settingsChanged(): void {
    this.#idle.review();
  }

  /** Lets go of what a conversation at rest needs no more. */
  rest(): void {
    this.#idle.stop();
    this.#handOver.close();
  }

  /** Ends the agent and everything that this conversation does. */
  async close(reason: Extract<CloseReason, 'relay-stopping' | 'let-go'>): Promise<void> {
    this.#idle.stop();
    this.#handOver.close();
    if (reason === 'let-go') this.#outlet.close();
    await this.#process.close(reason);
    if (reason === 'let-go') await this.host.children.stopAllOf(this.state.conversationId);
  }

  #act(n: number, message: HubMessage | UnreadableMessage): void {
    switch (message.kind) {
      case 'send-message':
        return this.#handOver.tryAgain();
      case 'try-again':
        this.#process.end.endOwedTurn({ outcome: 'interrupted' });
        return this.#handOver.tryAgain();
      case 'give-answer':
        return this.#handOver.answerCame(message.toolCallId);
      case 'interrupt':
        return this.#interrupt();
      case 'set-mode':
        return this.#setMode(message.modeVersion);
      case 'unreadable':
        return this.#leaveOut(message);
      case 'assign':
        return this.#acknowledgeMode();
      case 'forget':
        return;
    }
  }

  /** What can't be read is never tried again: whatever the hub waits for because of it is told to be over. */
  #leaveOut({ problem, requestId }: UnreadableMessage): void {
    const message = `The hub sent something that this version of the relay can't read, so it was left out: ${problem}`;
    const failure = { code: 'unreadable-message', message };
    this.#outlet.notice('error', failure.code, message);
    this.#process.end.endOwedTurn({ outcome: 'failed', failure });
    if (requestId === undefined) return;
    const progress = { delivery: 'superseded', possibleRepeat: false } as const;
    this.#outlet.send({ kind: 'answer-progress', requestId, ...progress });
  }

  #interrupt(): void {
    const found = this.#settleStopped();
    const { turnId, owesTurn } = this.state;
    const { session } = this.#process;
    // A turn that was not heard of yet may be about to begin with a message that the client has.
    const isComing = found === 'in-client' || (owesTurn === true && found === 'nothing');
    if (session === undefined || (turnId === undefined && !isComing)) {
      return this.#process.end.endOwedTurn({ outcome: 'interrupted' });
    }
    within(session.interrupt(), this.host.times.interruptMs)
      .then((done) => (done ? undefined : this.#process.close('not-interruptible')))
      .catch((error: unknown) => {
        this.host.log.warn({ err: error }, 'a turn could not be interrupted');
        return this.#process.close('not-interruptible');
      });
  }

  /** Answers on their way are superseded (C11); questions that were open are nobody's any more (C9). */
  #settleStopped(): ReturnType<HandOver['stopped']> {
    const { stopped } = this.state;
    if (stopped === undefined) return 'nothing';
    const found = this.#handOver.stopped(stopped.n);
    for (const toolCallId of stopped.calls) {
      if (!this.state.waiting.includes(toolCallId)) continue;
      this.#outlet.send({ kind: 'request-ended', toolCallId, outcome: 'cancelled' });
    }
    this.#outlet.flush();
    this.journal.stopSettled(stopped.n);
    return found;
  }

  #setMode(version: number): void {
    const { session } = this.#process;
    const { spec } = this.state;
    if (session === undefined || spec === undefined) return this.#acknowledgeMode();
    session.setMode(spec.mode).then(
      () => this.#outlet.send({ kind: 'mode-acknowledged', version }),
      (error: unknown) => {
        const { message } = failureOf(error);
        this.#outlet.notice('error', 'mode-not-set', `The mode could not be changed: ${message}`);
      },
    );
  }

  /** M6: a mode is in force once no process can run in another: not while one is coming up. */
  #acknowledgeMode(): void {
    const { modeToAcknowledge: version } = this.state;
    if (version === undefined || this.#process.isStarting) return;
    this.#outlet.send({ kind: 'mode-acknowledged', version });
  }

  #told(): ConstructorParameters<typeof AgentProcess>[0]['told'] {
    return {
      event: (event) => {
        this.#outlet.event(event);
        if (event.kind === 'turn-ended') this.#outlet.flush();
        this.#idle.review();
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
    this.#idle.review();
    if (this.state.waiting.includes(toolCallId) || this.#handOver.askedAgain(toolCallId)) return;
    const questions = fittedCards(request.questions);
    this.#outlet.send({ ...request, kind: 'ask', questions });
  }

  #withdrawn(toolCallId: ToolCallId): void {
    this.#process.answered(toolCallId);
    this.#handOver.withdrawn(toolCallId);
    this.#outlet.send({ kind: 'request-ended', toolCallId, outcome: 'cancelled' });
    this.#idle.review();
  }

  #settled(evidence: () => void): void {
    evidence();
    this.#idle.review();
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

  #full(closes: boolean): void {
    this.#outlet.notice('warning', 'journal-full', JOURNAL_FULL);
    if (closes) void this.#process.close('journal-full');
  }
}

const JOURNAL_FULL =
  'The hub has not taken what this agent said for so long that nothing more can be kept for it, so the agent is held until it does.';
