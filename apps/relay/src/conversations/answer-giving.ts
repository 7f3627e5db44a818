import { toldAfterResume, type Delivery, type MessageId } from '#contracts';
import type { AgentSession } from '#provider-kit';
import type { AnswerWork, Attempt } from '../journal/journal-shapes.js';
import type { HandOverParts } from './hand-over-parts.js';
import type { Handing, InFlight } from './in-flight.js';
import type { Tried } from './tried-before.js';

interface AnswerGivingParts extends HandOverParts {
  readonly inFlight: InFlight;
  /** Whether it is still to be given, by this session. */
  isWanted(work: AnswerWork, session: AgentSession): boolean;
  /** Settles as `handing` does, or rejects where the session ends first. */
  unlessOver<T>(handing: Promise<T>): Promise<T>;
  /** Nothing is left to do for it. */
  done(work: AnswerWork): void;
}

interface Giving {
  readonly session: AgentSession;
  readonly work: AnswerWork;
  readonly handing: Handing;
}

/** A question that was withdrawn or lost has nobody who waits to hear of it. */
export const tellsNobody = ({ give }: AnswerWork): boolean =>
  give.outcome === 'cancelled' || give.outcome === 'lost';

/** Gives one answer to one session: as the result of the call that waits for it, else as a message (C11). */
export class AnswerGiving {
  constructor(private readonly parts: AnswerGivingParts) {}

  giveTo(session: AgentSession, work: AnswerWork, tried: Omit<Tried, 'taken'>): Promise<void> {
    const { inFlight } = this.parts;
    const handing = inFlight.begin(work, tried.as ?? 'tool');
    return inFlight.unlessThrown(handing, this.#give({ session, work, handing }, tried));
  }

  /** Says how far an answer has come. */
  progress(work: AnswerWork, delivery: Exclude<Delivery, 'none' | 'pending'>): void {
    const possibleRepeat = work.attempt?.possibleRepeat ?? false;
    const { requestId, toolCallId: toolCall } = work.give;
    this.parts.outlet.send({ kind: 'answer-progress', requestId, delivery, possibleRepeat });
    // By the same id as in the hub's log, so that a tap can be followed to the agent's call.
    const { way } = work.attempt ?? {};
    const fields = { request: requestId, toolCall, way, delivery, possibleRepeat };
    this.parts.host.log.info(fields, 'answer on its way to the agent');
    if (delivery !== 'handed') this.parts.done(work);
  }

  /** No await before the attempt is written, so that it goes to the disk together with the answer itself. */
  async #give(of: Giving, { possibleRepeat }: Omit<Tried, 'taken'>): Promise<void> {
    const { session, work, handing } = of;
    if (handing.way === 'tool') {
      await this.#attempt(work, { way: 'tool', possibleRepeat });
      if (!this.#isCurrent(of)) return;
      const handed = await this.parts.unlessOver(session.answer(work.give));
      if (!this.#isCurrent(of)) return;
      if (handed === 'handed') return this.#handed(work);
      handing.way = 'message';
    }
    if (tellsNobody(work)) return this.progress(work, 'superseded');
    await this.#attempt(work, { way: 'message', possibleRepeat });
    if (!this.#isCurrent(of)) return;
    await this.parts.unlessOver(session.send(asMessage(work, possibleRepeat)));
    if (this.#isCurrent(of)) this.#handed(work);
  }

  #attempt(work: AnswerWork, attempt: Attempt): Promise<void> {
    return this.parts.journal.attempt(work.n, attempt);
  }

  /** Whether it is still to be given in this way: the call may have been given up, or have come again. */
  #isCurrent({ session, work, handing }: Giving): boolean {
    return this.parts.isWanted(work, session) && this.parts.inFlight.isCurrent(handing);
  }

  #handed(work: AnswerWork): void {
    const { process } = this.parts;
    process.answered(work.give.toolCallId);
    const { evidence } = process.provider().descriptor.capabilities;
    this.progress(work, evidence === 'none' ? 'sent' : 'handed');
  }
}

/** An answer that goes as a message has the id of its request. */
function asMessage(
  { give }: AnswerWork,
  possibleRepeat: boolean,
): { messageId: MessageId; text: string } {
  const { requestId, cards, mode } = give;
  const text = toldAfterResume({ cards, mode, possibleRepeat });
  return { messageId: String(requestId) as MessageId, text };
}
