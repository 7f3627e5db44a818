import { randomUUID } from 'node:crypto';
import {
  CardId,
  Duration,
  RequestId,
  type HubMessage,
  type MessageId,
  type RelayMessage,
  type TurnState,
} from '#contracts';
import { intakeEffect, isUnconfirmed, mayHandOut, type IntakeContext } from '#domain';

const CONTEXT: IntakeContext = {
  newRequestId: () => RequestId.parse(randomUUID()),
  newCardId: () => CardId.parse(randomUUID()),
  cardWaits: Duration.parse(60_000),
};

/** One conversation as the domain makes the hub see it: which turn it counts on, and whether it may hand out more. */
export class HubSight {
  turn: TurnState = 'none';
  readonly queue: { readonly messageId: MessageId; readonly text: string }[] = [];
  readonly #open = new Map<string, number>();
  readonly #unconfirmed = new Set<string>();

  /** Takes what the hub hands out. */
  gave(message: HubMessage): void {
    if (message.kind === 'send-message') this.turn = 'due';
    if (message.kind === 'interrupt') {
      this.#open.clear();
      this.#unconfirmed.clear();
    }
    if (message.kind !== 'give-answer') return;
    this.#open.delete(message.toolCallId);
    this.#unconfirmed.add(message.requestId);
  }

  /** Takes what the relay says. */
  took(message: RelayMessage): void {
    const { patch, open, close, delivery } = intakeEffect(message, CONTEXT);
    this.turn = patch.turn ?? this.turn;
    if (open !== undefined) this.#open.set(open.toolCallId, open.questions.length);
    if (close !== undefined) this.#open.delete(close.toolCallId);
    if (delivery !== undefined && !isUnconfirmed({ ...delivery, status: 'closed' })) {
      this.#unconfirmed.delete(delivery.requestId);
    }
  }

  /** The next message of the queue, where it may go to the agent now (C17). */
  next({ personActs }: { readonly personActs: boolean }): HubMessage | undefined {
    const openCards = [...this.#open.values()].reduce((sum, cards) => sum + cards, 0);
    const facts = { turn: this.turn, openCards, unconfirmedAnswers: this.#unconfirmed.size };
    if (!mayHandOut({ ...facts, personActs })) return undefined;
    const message = this.queue.shift();
    return message && { kind: 'send-message', ...message };
  }
}
