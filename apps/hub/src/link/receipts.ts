import type { ConversationId, Refused } from '#contracts';
import type { RelaySocket } from '../relays/relay-connections.js';

/** What one relay is told of its messages: everything of one turn of the event loop in one frame. */
export class Receipts {
  private upTo = new Map<ConversationId, { epoch: number; n: number }>();
  private refused: Refused[] = [];
  private due = false;

  constructor(private readonly socket: Pick<RelaySocket, 'emit'>) {}

  /** Everything up to `n` is committed; 0 where nothing is. */
  acknowledge(conversationId: ConversationId, epoch: number, n: number): void {
    const told = this.upTo.get(conversationId);
    if (told === undefined || told.epoch < epoch || told.n < n) {
      this.upTo.set(conversationId, { epoch, n });
    }
    this.soon();
  }

  refuse(refused: Refused): void {
    this.refused.push(refused);
    this.soon();
  }

  private soon(): void {
    if (this.due) return;
    this.due = true;
    setImmediate(() => {
      this.due = false;
      const upTo = [...this.upTo].map(([conversationId, { epoch, n }]) => ({
        conversationId,
        epoch,
        n,
      }));
      const { refused } = this;
      this.upTo = new Map();
      this.refused = [];
      this.socket.emit('acknowledged', { upTo, refused });
    });
  }
}
