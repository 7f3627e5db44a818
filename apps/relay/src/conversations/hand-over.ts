import { randomUUID } from 'node:crypto';
import {
  TurnId,
  toldAfterResume,
  toldAgain,
  type Delivery,
  type MessageId,
  type ToolCallId,
} from '#contracts';
import type { AgentSession } from '#provider-kit';
import type { AnswerWork, MessageWork, Work } from '../journal/journal-shapes.js';
import type { Attempt } from '../journal/journal-shapes.js';
import type { Journal } from '../journal/journal.js';
import type { AgentProcess } from './agent-process.js';
import type { ConversationHost } from './conversation-host.js';
import { failureOf } from './failure.js';
import type { Outlet } from './outlet.js';
import { alreadyTried, type Tried } from './tried-before.js';

export interface HandOverParts {
  readonly journal: Journal;
  readonly outlet: Outlet;
  readonly process: AgentProcess;
  readonly host: ConversationHost;
}

/**
 * Brings what the hub sent to the agent, each thing once (C11, link rule 4): answers before messages, an attempt
 * on the disk before it is made, and the client's own record asked about an attempt of which nothing was heard.
 */
export class HandOver {
  /** Handed to the client that runs now; its evidence is awaited. */
  readonly #inFlight = new Set<number>();
  #open = false;
  #pumping = false;
  #tries = 0;
  #reported: string | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly parts: HandOverParts) {}

  /** Whether something waits to be handed over, or for evidence that it was taken. */
  get isBusy(): boolean {
    return this.parts.journal.state.work.length > 0;
  }

  /** From here on the relay knows that the conversation is still its own. */
  open(): void {
    this.#open = true;
    this.tryAgain();
  }

  close(): void {
    this.#open = false;
    clearTimeout(this.#retry);
  }

  /** Something changed for the better: new work, a client installed, a setting made. */
  tryAgain(): void {
    this.#tries = 0;
    this.#reported = undefined;
    this.#pump();
  }

  /** An answer came. The client that waits in the call gets it at once, past whatever is being sent. */
  answerCame(toolCallId: ToolCallId): void {
    const work = this.#answers().find(({ give }) => give.toolCallId === toolCallId);
    const { session } = this.parts.process;
    if (work === undefined || session === undefined || !this.#open) return this.tryAgain();
    if (this.#inFlight.has(work.n)) return;
    this.#reported = undefined;
    this.#giveTo(session, work, { possibleRepeat: false }).catch((error: unknown) =>
      this.#failed(error),
    );
  }

  /** A call came again for which the answer is on its way: it gets the same one (C12). */
  askedAgain(toolCallId: ToolCallId): boolean {
    const work = this.#answers().find(({ give }) => give.toolCallId === toolCallId);
    if (work === undefined) return false;
    this.#inFlight.delete(work.n);
    this.answerCame(toolCallId);
    return true;
  }

  /** Evidence that the client took the result of a call. */
  taken(toolCallId: ToolCallId): void {
    for (const work of this.#answers()) {
      if (work.give.toolCallId === toolCallId) this.#progress(work, 'delivered');
    }
  }

  /** Evidence that the client has a message; an answer that went as one has its request's id. */
  pickedUp(messageId: MessageId): void {
    for (const work of [...this.parts.journal.state.work]) {
      if (work.kind === 'message' && work.messageId === messageId) this.#messageDone(work);
      if (work.kind === 'answer' && String(work.give.requestId) === String(messageId)) {
        this.#progress(work, 'delivered');
      }
    }
  }

  /** The client gave up a call whose answer was on its way: it gets there as a message. */
  withdrawn(toolCallId: ToolCallId): void {
    for (const { n, give } of this.#answers()) {
      if (give.toolCallId === toolCallId) this.#inFlight.delete(n);
    }
    this.#pump();
  }

  /** A stop: what has not reached the agent does not any more. Says whether the client has a message to stop. */
  stopped(n: number): 'in-client' | 'dropped' | 'nothing' {
    const { journal, outlet } = this.parts;
    const before = journal.state.work.filter((work) => work.n < n);
    let dropped = false;
    for (const work of before) {
      if (work.kind === 'answer') this.#progress(work, 'superseded');
      else if (!this.#inFlight.has(work.n)) {
        dropped = true;
        journal.drop(work.n);
      }
    }
    if (dropped) {
      const text = 'A message was stopped before the agent got it, so the agent does not know it.';
      outlet.notice('info', 'message-not-sent', text);
    }
    if (before.some((work) => this.#inFlight.has(work.n))) return 'in-client';
    return dropped ? 'dropped' : 'nothing';
  }

  /** The client is gone; what it gave no evidence for goes the way of a crash. */
  sessionEnded(): void {
    const unproven = this.#inFlight.size > 0;
    this.#inFlight.clear();
    if (unproven) this.#tries += 1;
    if (this.#tries <= 1) this.#pump();
    else this.#later();
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    clearTimeout(this.#retry);
    this.#work().catch((error: unknown) => this.#failed(error));
  }

  async #work(): Promise<void> {
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        if (next.kind === 'answer') await this.#giveAnswer(next);
        else await this.#sendMessage(next);
      }
    } finally {
      this.#pumping = false;
    }
  }

  /** Answers first: an agent that is resumed must hear of its question before anything that was queued (C11). */
  #next(): Work | undefined {
    if (!this.#open) return undefined;
    const { work } = this.parts.journal.state;
    const waiting = work.filter(({ n }) => !this.#inFlight.has(n));
    return waiting.find(({ kind }) => kind === 'answer') ?? waiting[0];
  }

  async #giveAnswer(work: AnswerWork): Promise<void> {
    const { process } = this.parts;
    const tried = await this.#tried(work);
    if (tried.taken) return this.#progress(work, 'delivered');
    if (process.session === undefined && this.#tellsNobody(work)) {
      return this.#progress(work, 'superseded');
    }
    const session = await process.ensure();
    if (this.#isWanted(work)) await this.#giveTo(session, work, tried);
  }

  #giveTo(session: AgentSession, work: AnswerWork, tried: Omit<Tried, 'taken'>): Promise<void> {
    this.#inFlight.add(work.n);
    return this.#unlessThrown(work, this.#give(session, work, tried));
  }

  /** No await before the attempt is written, so that it goes to the disk together with the answer itself. */
  async #give(session: AgentSession, work: AnswerWork, tried: Omit<Tried, 'taken'>): Promise<void> {
    const { possibleRepeat } = tried;
    if (tried.as !== 'message') {
      await this.#attempt(work, { way: 'tool', possibleRepeat });
      if (!this.#isWanted(work, session)) return;
      const handed = await session.answer(work.give);
      if (handed === 'handed') return this.#handed(work);
      if (!this.#isWanted(work, session)) return;
    }
    if (this.#tellsNobody(work)) return this.#progress(work, 'superseded');
    await this.#attempt(work, { way: 'message', possibleRepeat });
    if (!this.#isWanted(work, session)) return;
    const { requestId, cards, mode } = work.give;
    const text = toldAfterResume({ cards, mode, possibleRepeat });
    await session.send({ messageId: String(requestId) as MessageId, text });
    this.#handed(work);
  }

  async #sendMessage(work: MessageWork): Promise<void> {
    const tried = await this.#tried(work);
    if (tried.taken) return this.#messageDone(work);
    const session = await this.parts.process.ensure();
    // An answer may have come while the agent was started: it goes first.
    if (!this.#isWanted(work) || this.#next()?.kind === 'answer') return;
    const { possibleRepeat } = tried;
    await this.#attempt(work, { way: 'message', possibleRepeat });
    if (!this.#isWanted(work)) return;
    this.#inFlight.add(work.n);
    const text = possibleRepeat ? toldAgain(work.text) : work.text;
    await this.#unlessThrown(work, session.send({ messageId: work.messageId, text }));
  }

  /** What the client did not take is to be tried again. */
  async #unlessThrown(work: Work, handing: Promise<void>): Promise<void> {
    try {
      await handing;
    } catch (error) {
      this.#inFlight.delete(work.n);
      throw error;
    }
  }

  async #tried(work: Work): Promise<Tried> {
    if (work.attempt === undefined) return { taken: false, possibleRepeat: false };
    const { journal, process } = this.parts;
    return alreadyTried({ work, attempt: work.attempt, state: journal.state, process });
  }

  #attempt(work: Work, attempt: Attempt): Promise<void> {
    return this.parts.journal.attempt(work.n, attempt);
  }

  /** A question that was withdrawn or lost has nobody who waits to hear of it. */
  #tellsNobody({ give }: AnswerWork): boolean {
    return give.outcome === 'cancelled' || give.outcome === 'lost';
  }

  /** Whether work is still to be done: a stop may have come, or the client's end, while something was awaited. */
  #isWanted(work: Work, session?: AgentSession): boolean {
    if (session !== undefined && this.parts.process.session !== session) return false;
    return this.#open && this.parts.journal.state.work.some(({ n }) => n === work.n);
  }

  #handed(work: AnswerWork): void {
    this.parts.process.answered(work.give.toolCallId);
    if (!this.#isWanted(work)) return;
    const { evidence } = this.parts.process.provider().descriptor.capabilities;
    this.#progress(work, evidence === 'none' ? 'sent' : 'handed');
  }

  #progress(work: AnswerWork, delivery: Exclude<Delivery, 'none' | 'pending'>): void {
    const possibleRepeat = work.attempt?.possibleRepeat ?? false;
    const { requestId } = work.give;
    this.parts.outlet.send({ kind: 'answer-progress', requestId, delivery, possibleRepeat });
    if (delivery !== 'handed') this.#done(work);
  }

  #messageDone(work: MessageWork): void {
    this.parts.outlet.send({ kind: 'message-picked-up', messageId: work.messageId });
    this.#done(work);
  }

  #done(work: Work): void {
    this.#inFlight.delete(work.n);
    this.#tries = 0;
    this.#reported = undefined;
  }

  #answers(): AnswerWork[] {
    return this.parts.journal.state.work.filter((work) => work.kind === 'answer');
  }

  /** The agent could not be reached: said once, tried again a few times, then with the next message (C9). */
  #failed(thrown: unknown): void {
    const { host, journal, outlet, process } = this.parts;
    const failure = failureOf(thrown);
    const { conversationId } = journal.state;
    host.log.warn({ err: thrown, conversation: conversationId }, 'the agent could not be reached');
    if (!this.#open) return;
    if (process.session === undefined) this.#inFlight.clear();
    if (this.#reported !== failure.code && journal.state.turnId === undefined) {
      this.#reported = failure.code;
      outlet.emptyTurn(TurnId.parse(randomUUID()), { outcome: 'failed', failure });
    }
    this.#tries += 1;
    this.#later();
  }

  #later(): void {
    const wait = this.parts.host.times.retryMs[this.#tries - 1];
    if (wait === undefined || !this.#open || !this.isBusy) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#pump(), wait);
  }
}
