import { randomUUID } from 'node:crypto';
import { TurnId, type Failure, type ProcessState } from '#contracts';
import type { ConversationState } from '../journal/journal-shapes.js';
import type { Outlet } from './outlet.js';
import { owesEmptyTurn } from './owed-turn.js';
import { CUT_SHORT, DIED, NEVER_BEGAN, type CloseReason } from './process-words.js';

export interface ProcessEndParts {
  readonly outlet: Outlet;
  readonly state: Readonly<ConversationState>;
  /** Whether an ended process can be resumed, so that its cards stay open (C9). */
  canResume(): boolean;
}

/** What is told when an agent's process is gone: how its turn ended, and what became of its questions. */
export class ProcessEnd {
  constructor(private readonly parts: ProcessEndParts) {}

  /** The relay itself ended the session. */
  closed(reason: CloseReason): void {
    const { outlet } = this.parts;
    if (this.#cutsATurn()) {
      outlet.notice('warning', reason, CUT_SHORT[reason]);
      this.endTurn('interrupted');
    }
    this.#settleRequests();
  }

  died(failure: Failure = DIED): void {
    const { outlet, state } = this.parts;
    if (!this.#cutsATurn()) {
      const text = `${failure.message} It is resumed with the next message.`;
      outlet.notice('warning', failure.code, text);
    } else if (state.waiting.length > 0 && this.parts.canResume()) {
      const text = `${failure.message} Its question stays open: the answer resumes it.`;
      outlet.notice('warning', 'process-ended-asking', text);
      this.endTurn('interrupted');
    } else {
      outlet.notice('error', failure.code, failure.message);
      this.endTurn('failed', failure);
    }
    this.#settleRequests();
  }

  /** After a start of the relay: the process of an earlier life of it can't be running any more. */
  ofEarlierLife(): void {
    const { outlet, state } = this.parts;
    if (state.process !== 'live' && state.process !== 'starting') return;
    if (this.#cutsATurn()) {
      const asks = state.waiting.length > 0 && this.parts.canResume();
      const more = asks ? ' Its question stays open.' : '';
      const text = `The relay was restarted, so the turn was cut short.${more}`;
      outlet.notice('warning', 'relay-restarted', text);
      this.endTurn('interrupted');
    }
    this.#settleRequests();
  }

  /** Ends the turn that a session left open, or the one that the hub still waits for. */
  endTurn(outcome: 'interrupted' | 'failed', failure?: Failure): void {
    const { outlet, state } = this.parts;
    outlet.flush();
    const { turnId } = state;
    const how = { outcome, ...(failure && { failure }) };
    if (turnId !== undefined) outlet.event({ kind: 'turn-ended', turnId, ...how });
    else this.endOwedTurn(how);
  }

  /** The hub waits for a turn that nothing brings any more: it is told as one that ended before it began. */
  endOwedTurn(how: { outcome: 'interrupted' | 'failed'; failure?: Failure }): void {
    const { outlet, state } = this.parts;
    outlet.flush();
    if (owesEmptyTurn(state)) outlet.emptyTurn(TurnId.parse(randomUUID()), how);
  }

  /** The client has a message, but ended before it began to work on it; that it has it is known only now. */
  turnNeverBegan(): void {
    const { outlet, state } = this.parts;
    outlet.flush();
    if (!owesEmptyTurn(state)) return;
    outlet.notice('warning', 'turn-never-began', NEVER_BEGAN);
    this.endOwedTurn({ outcome: 'interrupted' });
  }

  /** How a process that does not run is called. */
  restState(): ProcessState {
    if (this.parts.state.sessionRef === undefined) return 'none';
    return this.parts.canResume() ? 'asleep' : 'gone';
  }

  #cutsATurn(): boolean {
    const { outlet, state } = this.parts;
    outlet.flush();
    return state.turnId !== undefined || owesEmptyTurn(state);
  }

  /** C9: what can be resumed keeps its cards open and detached; what can't be has lost them. */
  #settleRequests(): void {
    const { outlet, state } = this.parts;
    outlet.flush();
    if (!this.parts.canResume()) {
      for (const toolCallId of [...state.waiting]) {
        outlet.send({ kind: 'request-ended', toolCallId, outcome: 'lost' });
      }
    }
    outlet.send({ kind: 'process', state: this.restState() });
  }
}
