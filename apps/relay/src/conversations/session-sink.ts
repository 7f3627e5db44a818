import type { AgentEvent, AskRequest, Delta, Failure, MessageId, ToolCallId } from '#contracts';
import type { SessionSink } from '#provider-kit';

/** What a session tells; the same as {@link SessionSink}, once it is known to come from the session in use. */
export type SessionTold = SessionSink;

/**
 * The sink of one session. Once that session was let go, or has ended, whatever it still says is not about the
 * conversation any more. A fault of ours behind it never reaches the client.
 */
export class GuardedSink implements SessionSink {
  #open = true;

  constructor(
    private readonly told: SessionTold,
    private readonly fault: (error: unknown) => void,
  ) {}

  get isOpen(): boolean {
    return this.#open;
  }

  close(): void {
    this.#open = false;
  }

  sessionRef(ref: string): void {
    this.#pass(() => this.told.sessionRef(ref));
  }
  event(event: AgentEvent): void {
    this.#pass(() => this.told.event(event));
  }
  delta(delta: Delta): void {
    this.#pass(() => this.told.delta(delta));
  }
  ask(request: Omit<AskRequest, 'kind'>): void {
    this.#pass(() => this.told.ask(request));
  }
  withdrawn(toolCallId: ToolCallId): void {
    this.#pass(() => this.told.withdrawn(toolCallId));
  }
  taken(toolCallId: ToolCallId): void {
    this.#pass(() => this.told.taken(toolCallId));
  }
  pickedUp(messageId: MessageId): void {
    this.#pass(() => this.told.pickedUp(messageId));
  }
  ended(how: { expected: boolean; failure?: Failure }): void {
    this.#pass(() => {
      this.#open = false;
      this.told.ended(how);
    });
  }

  #pass(tell: () => void): void {
    if (!this.#open) return;
    try {
      tell();
    } catch (error) {
      this.fault(error);
    }
  }
}
