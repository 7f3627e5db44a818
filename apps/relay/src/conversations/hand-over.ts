import { randomUUID } from 'node:crypto';
import { TurnId, toldAgain, type MessageId, type ToolCallId } from '#contracts';
import type { AgentSession } from '#provider-kit';
import type { AnswerWork, MessageWork, Work } from '../journal/journal-shapes.js';
import type { Attempt } from '../journal/journal-shapes.js';
import { AnswerGiving, tellsNobody } from './answer-giving.js';
import { failureOf } from './failure.js';
import type { HandOverParts } from './hand-over-parts.js';
import { InFlight } from './in-flight.js';
import { Retries } from './retries.js';
import { SESSION_OVER, SessionOver } from './session-over.js';
import { alreadyTried, type Tried } from './tried-before.js';

/**
 * Brings what the hub sent to the agent, each thing once (C11, link rule 4): answers before messages, an attempt
 * on the disk before it is made, and the client's own record asked about an attempt of which nothing was heard.
 */
export class HandOver {
  readonly #inFlight = new InFlight();
  readonly #retries: Retries;
  readonly #answering: AnswerGiving;
  #over = new SessionOver();
  #open = false;
  #pumping = false;

  constructor(private readonly parts: HandOverParts) {
    this.#retries = new Retries(parts.host.times.retryMs, () => this.#pump());
    this.#answering = new AnswerGiving({
      ...parts,
      inFlight: this.#inFlight,
      isWanted: (work, session) => this.#isWanted(work, session),
      unlessOver: (handing) => this.#over.orElse(handing),
      done: (work) => this.#done(work),
    });
  }

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
    this.#retries.cancel();
  }

  /** Something changed for the better: new work, a client installed, a setting made. */
  tryAgain(): void {
    this.#retries.reset();
    this.#pump();
  }

  /** An answer came. The client that waits in the call gets it at once, past whatever is being sent. */
  answerCame(toolCallId: ToolCallId): void {
    const work = this.#answerTo(toolCallId);
    const { session } = this.parts.process;
    if (work === undefined || session === undefined || !this.#open) return this.tryAgain();
    if (this.#inFlight.has(work)) return;
    this.#retries.forgetReport();
    this.#answering
      .giveTo(session, work, { possibleRepeat: false })
      .catch((error: unknown) => this.#failed(error));
  }

  /** A call came again for which the answer is on its way: it gets the same one (C12). */
  askedAgain(toolCallId: ToolCallId): boolean {
    const work = this.#answerTo(toolCallId);
    if (work === undefined) return false;
    this.#inFlight.end(work);
    this.answerCame(toolCallId);
    return true;
  }

  /** Evidence that the client took the result of a call. */
  taken(toolCallId: ToolCallId): void {
    for (const work of this.#answers()) {
      if (work.give.toolCallId === toolCallId) this.#answering.progress(work, 'delivered');
    }
  }

  /** Evidence that the client has a message; an answer that went as one has its request's id. */
  pickedUp(messageId: MessageId): void {
    for (const work of [...this.parts.journal.state.work]) {
      if (work.kind === 'message' && work.messageId === messageId) this.#messageDone(work);
      if (work.kind === 'answer' && String(work.give.requestId) === String(messageId)) {
        this.#answering.progress(work, 'delivered');
      }
    }
  }

  /** The client gave up a call whose answer was on its way to it: it gets there as a message. */
  withdrawn(toolCallId: ToolCallId): void {
    for (const work of this.#answers()) {
      const isMeant = work.give.toolCallId === toolCallId;
      if (isMeant && this.#inFlight.wayOf(work) === 'tool') this.#inFlight.end(work);
    }
    this.#pump();
  }

  /**
   * A stop: what has not reached the agent does not any more. Says whether the client has a message to stop. A
   * message of which nobody knows yet whether the client has it waits for the client's record.
   */
  stopped(n: number): 'in-client' | 'dropped' | 'nothing' {
    const before = this.parts.journal.state.work.filter((work) => work.n < n);
    const inClient = before.some((work) => this.#inFlight.has(work));
    for (const work of before)
      if (work.kind === 'answer') this.#answering.progress(work, 'superseded');
    const unsent = before.filter(({ kind, attempt }) => kind === 'message' && !attempt);
    for (const work of unsent) this.#drop(work, { possibleRepeat: false });
    this.#pump();
    if (inClient) return 'in-client';
    return unsent.length > 0 ? 'dropped' : 'nothing';
  }

  /** The client is gone; what it gave no evidence for goes the way of a crash. */
  sessionEnded(): void {
    if (this.#inFlight.size > 0) this.#retries.failed();
    this.#inFlight.clear();
    this.#over.tell();
    this.#over = new SessionOver();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#retries.count <= 1) this.#pump();
    else this.#later();
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    this.#retries.cancel();
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
    const { waitsForPerson, work } = this.parts.journal.state;
    if (!this.#open || waitsForPerson === true) return undefined;
    const waiting = work.filter((one) => !this.#inFlight.has(one));
    return waiting.find(({ kind }) => kind === 'answer') ?? waiting[0];
  }

  async #giveAnswer(work: AnswerWork): Promise<void> {
    const { process } = this.parts;
    const tried = await this.#tried(work);
    if (!this.#isWanted(work) || this.#inFlight.has(work)) return;
    if (tried.taken) return this.#answering.progress(work, 'delivered');
    if (process.session === undefined && tellsNobody(work)) {
      return this.#answering.progress(work, 'superseded');
    }
    const session = await process.ensure();
    // Its call may have come again in between, and got it (C12).
    if (this.#isWanted(work, session) && !this.#inFlight.has(work))
      await this.#answering.giveTo(session, work, tried);
  }

  async #sendMessage(work: MessageWork): Promise<void> {
    const tried = await this.#tried(work);
    if (!this.#isWanted(work)) return;
    if (tried.taken) {
      this.#messageDone(work);
      return this.parts.process.end.turnNeverBegan();
    }
    if (work.stopped) {
      this.#drop(work, tried);
      return this.parts.process.end.endOwedTurn({ outcome: 'interrupted' });
    }
    const session = await this.parts.process.ensure();
    // An answer may have come while the agent was started: it goes first.
    if (!this.#isWanted(work, session) || this.#next()?.kind === 'answer') return;
    const { possibleRepeat } = tried;
    await this.#attempt(work, { way: 'message', possibleRepeat });
    if (!this.#isWanted(work, session) || work.stopped) return;
    const handing = this.#inFlight.begin(work, 'message');
    const text = possibleRepeat ? toldAgain(work.text) : work.text;
    const sent = this.#over.orElse(session.send({ messageId: work.messageId, text }));
    await this.#inFlight.unlessThrown(handing, sent);
  }

  async #tried(work: Work): Promise<Tried> {
    if (work.attempt === undefined) return { taken: false, possibleRepeat: false };
    const { journal, process } = this.parts;
    return alreadyTried({ work, attempt: work.attempt, state: journal.state, process });
  }

  #attempt(work: Work, attempt: Attempt): Promise<void> {
    return this.parts.journal.attempt(work.n, attempt);
  }

  /** Whether work is still to be done: a stop may have come, or the client's end, while something was awaited. */
  #isWanted(work: Work, session?: AgentSession): boolean {
    if (session !== undefined && this.parts.process.session !== session) return false;
    return this.#open && this.parts.journal.state.work.some(({ n }) => n === work.n);
  }

  #messageDone(work: MessageWork): void {
    this.parts.outlet.send({ kind: 'message-picked-up', messageId: work.messageId });
    this.#done(work);
  }

  #drop(work: Work, { possibleRepeat }: Pick<Tried, 'possibleRepeat'>): void {
    this.parts.journal.drop(work.n);
    this.parts.outlet.notice('info', 'message-not-sent', possibleRepeat ? PERHAPS_GOT : NOT_GOT);
  }

  #done(work: Work): void {
    this.#inFlight.end(work);
    this.#retries.reset();
  }

  #answers(): AnswerWork[] {
    return this.parts.journal.state.work.filter((work) => work.kind === 'answer');
  }

  #answerTo(toolCallId: ToolCallId): AnswerWork | undefined {
    return this.#answers().find(({ give }) => give.toolCallId === toolCallId);
  }

  /** The agent could not be reached: said once, tried again a few times, then with the next message (C9). */
  #failed(thrown: unknown): void {
    if (thrown === SESSION_OVER) return this.#goOn();
    const { host, journal, outlet, process } = this.parts;
    const failure = failureOf(thrown);
    const { conversationId, turnId } = journal.state;
    host.log.warn({ err: thrown, conversation: conversationId }, 'the agent could not be reached');
    if (!this.#open) return;
    if (process.session === undefined) this.#inFlight.clear();
    if (turnId === undefined && this.#retries.isNews(failure)) {
      outlet.emptyTurn(TurnId.parse(randomUUID()), { outcome: 'failed', failure });
    }
    this.#retries.failed();
    this.#later();
  }

  /** An answer that was accepted is never given up (C11). */
  #later(): void {
    if (this.#open && this.isBusy) this.#retries.schedule({ forEver: this.#answers().length > 0 });
  }
}

const NOT_GOT = 'A message was stopped before the agent got it, so the agent does not know it.';
const PERHAPS_GOT = 'A message was stopped; nobody can tell whether the agent got it.';
