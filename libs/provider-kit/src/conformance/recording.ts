import type { AgentEvent, AskRequest, Delta, Failure, MessageId, ToolCallId } from '#contracts';
import type { SessionSink } from '../driver.js';

type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

/** A sink that keeps everything, and lets a test wait for what it wants to see. */
export class Recording implements SessionSink {
  readonly refs: string[] = [];
  readonly events: AgentEvent[] = [];
  readonly deltas: Delta[] = [];
  readonly asks: Omit<AskRequest, 'kind'>[] = [];
  readonly withdrawnCalls: ToolCallId[] = [];
  readonly takenCalls: ToolCallId[] = [];
  readonly pickedUpMessages: MessageId[] = [];
  readonly ends: { expected: boolean; failure?: Failure }[] = [];
  #looks: (() => void)[] = [];

  sessionRef(ref: string): void {
    this.#keep(this.refs, ref);
  }
  event(event: AgentEvent): void {
    this.#keep(this.events, event);
  }
  delta(delta: Delta): void {
    this.#keep(this.deltas, delta);
  }
  ask(request: Omit<AskRequest, 'kind'>): void {
    this.#keep(this.asks, request);
  }
  withdrawn(toolCallId: ToolCallId): void {
    this.#keep(this.withdrawnCalls, toolCallId);
  }
  taken(toolCallId: ToolCallId): void {
    this.#keep(this.takenCalls, toolCallId);
  }
  pickedUp(messageId: MessageId): void {
    this.#keep(this.pickedUpMessages, messageId);
  }
  ended(how: { expected: boolean; failure?: Failure }): void {
    this.#keep(this.ends, how);
  }

  /** Resolves with the first thing that `look` finds, now or after a later call. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((done) => {
      const again = (): boolean => {
        const found = look();
        if (found !== undefined) done(found);
        return found !== undefined;
      };
      if (!again()) this.#looks.push(() => again());
    });
  }

  of<K extends AgentEvent['kind']>(kind: K): EventOf<K>[] {
    return this.events.filter((event): event is EventOf<K> => event.kind === kind);
  }

  /** The nth end of a turn, from 1. */
  turnEnd(n = 1): Promise<EventOf<'turn-ended'>> {
    return this.until(() => this.of('turn-ended')[n - 1]);
  }

  asked(toolCallId: string): Promise<Omit<AskRequest, 'kind'>> {
    return this.until(() => this.asks.find((ask) => ask.toolCallId === toolCallId));
  }

  taking(toolCallId: string): Promise<ToolCallId> {
    return this.until(() => this.takenCalls.find((id) => id === toolCallId));
  }

  #keep<T>(list: T[], value: T): void {
    list.push(value);
    for (const look of this.#looks) look();
  }
}
