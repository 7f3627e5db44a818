import type {
  Card,
  CardRequest,
  Conversation,
  ConversationId,
  EventBody,
  MessageId,
  RequestId,
  StoredEvent,
} from '#contracts';
import { isUnconfirmed } from '#domain';

/** What a device makes of one conversation's events and rows, as the page does. */
export class ConversationView {
  readonly requests = new Map<RequestId, CardRequest>();
  /** Messages that the agent is not known to have, and that no stop may have dropped. */
  readonly #underWay = new Set<MessageId>();
  row: Conversation | undefined;
  lastN = 0;

  constructor(readonly id: ConversationId) {}

  takeRow(row: Conversation): void {
    if (this.row === undefined || row.version > this.row.version) this.row = row;
  }

  takeEvent({ n, body }: StoredEvent): void {
    this.lastN = Math.max(this.lastN, n);
    this.#takeRequest(body);
    this.#takeMessage(body);
  }

  /** The request of a call, once it has opened. */
  requestOf(call: string): CardRequest | undefined {
    return [...this.requests.values()].find(({ toolCallId }) => String(toolCallId) === call);
  }

  get open(): CardRequest[] {
    return [...this.requests.values()].filter(({ status }) => status === 'open');
  }

  /** Whether nothing runs, waits or is on its way, seen as far as event `n` at least. */
  isQuiet(n: number): boolean {
    const { row } = this;
    if (row === undefined || row.lastEventN < n || this.lastN < row.lastEventN) return false;
    return this.unrest.length === 0;
  }

  /** What still runs, waits or is on its way, in words. */
  get unrest(): string[] {
    const { row } = this;
    if (row === undefined) return ['it was never seen'];
    const { turn, queued, openCards } = row;
    // After a turn that failed the queue waits for a person's next message.
    const held = turn === 'failed' ? queued : 0;
    const unconfirmed = [...this.requests.values()].filter(isUnconfirmed);
    return [
      ...(turn === 'due' || turn === 'running' ? [`its turn is ${turn}`] : []),
      ...(openCards > 0 ? [`${openCards} cards are open`] : []),
      ...(queued > held ? [`${queued} messages wait`] : []),
      ...unconfirmed.map(
        ({ toolCallId, delivery }) => `the answer to ${toolCallId} is ${delivery}`,
      ),
      ...(this.#underWay.size > held ? [`under way: messages ${[...this.#underWay].join()}`] : []),
    ];
  }

  #takeRequest(body: EventBody): void {
    if (body.kind === 'request-opened') this.requests.set(body.request.id, body.request);
    if (body.kind === 'card-settled') this.#takeCards(body.card.requestId, [body.card]);
    if (body.kind === 'delivery-changed') this.#change(body.requestId, { delivery: body.delivery });
    if (body.kind !== 'request-closed') return;
    const { requestId, outcome, cards } = body;
    const tellsNobody = outcome === 'cancelled' || outcome === 'lost';
    this.#change(requestId, {
      ...{ status: 'closed', outcome, delivery: tellsNobody ? 'none' : 'pending' },
    });
    this.#takeCards(requestId, cards);
  }

  #takeMessage(body: EventBody): void {
    if (body.kind === 'message-accepted') this.#underWay.add(body.messageId);
    if (body.kind === 'message-picked-up') this.#underWay.delete(body.messageId);
    if (body.kind === 'message-cancelled') this.#underWay.delete(body.messageId);
    if (body.kind === 'stop-asked') this.#underWay.clear();
  }

  #change(id: RequestId, change: Partial<CardRequest>): void {
    const request = this.requests.get(id);
    if (request !== undefined) this.requests.set(id, { ...request, ...change });
  }

  #takeCards(id: RequestId, cards: readonly Card[]): void {
    const request = this.requests.get(id);
    if (request === undefined) return;
    const changed = new Map(cards.map((card) => [card.id, card]));
    const merged = request.cards.map((card) => changed.get(card.id) ?? card);
    this.requests.set(id, { ...request, cards: merged });
  }
}
