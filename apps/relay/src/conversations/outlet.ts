import type { AgentEvent, AgentEventOf, Failure, RelayMessage, TurnId } from '#contracts';
import type { Journal } from '../journal/journal.js';
import { fittedEvents } from '../outgoing/fitted-event.js';
import { PendingEvents } from '../outgoing/pending-events.js';

/** The one way from a conversation to the hub: made to fit, numbered, journalled, then sent. */
export class Outlet {
  #closed = false;
  readonly #pending = new PendingEvents((events) =>
    this.#journal({ kind: 'agent-events', events }),
  );

  constructor(
    private readonly journal: Journal,
    private readonly told: {
      /** The journal has grown, whether it is written yet or not. */
      journalled(): void;
      /** There is something new to send. */
      written(): void;
    },
  ) {}

  event(event: AgentEvent): void {
    if (this.#closed) return;
    for (const fitted of fittedEvents(event)) this.#pending.add(fitted);
  }

  /** Sends a message after all events that came before it. */
  send(message: RelayMessage): void {
    if (this.#closed) return;
    this.#pending.flush();
    this.#journal(message);
  }

  /** Brings events of this tick into the journal, so that its state has them. */
  flush(): void {
    this.#pending.flush();
  }

  notice(severity: AgentEventOf<'notice'>['severity'], code: string, text: string): void {
    this.event({ kind: 'notice', severity, code, text, params: {} });
  }

  /** A turn that ended before it began: the agent could not be reached, or was stopped first. */
  emptyTurn(turnId: TurnId, how: { outcome: 'failed' | 'interrupted'; failure?: Failure }): void {
    this.event({ kind: 'turn-started', turnId });
    this.event({ kind: 'turn-ended', turnId, ...how });
    this.flush();
  }

  /** From here on nothing is said any more: the journal is put aside or removed. */
  close(): void {
    this.#closed = true;
  }

  #journal(message: RelayMessage): void {
    if (this.#closed) return;
    void this.journal.send(message).written.then(() => this.told.written());
    this.told.journalled();
  }
}
