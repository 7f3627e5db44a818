import type { Acknowledgement, ConversationId } from '#contracts';

const MOST_IN_ONE = 1_000;

/** What the hub is told of its messages: all that reached the disk in one turn of the event loop, in one frame. */
export class Receipts {
  #upTo = new Map<ConversationId, Acknowledgement>();
  #due = false;

  constructor(private readonly emit: (upTo: Acknowledgement[]) => void) {}

  add(acknowledgement: Acknowledgement): void {
    const { conversationId, epoch, n } = acknowledgement;
    const told = this.#upTo.get(conversationId);
    if (told !== undefined && (told.epoch > epoch || (told.epoch === epoch && told.n >= n))) return;
    this.#upTo.set(conversationId, acknowledgement);
    if (this.#due) return;
    this.#due = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    this.#due = false;
    const all = [...this.#upTo.values()];
    this.#upTo = new Map();
    for (let at = 0; at < all.length; at += MOST_IN_ONE) this.emit(all.slice(at, at + MOST_IN_ONE));
  }
}
