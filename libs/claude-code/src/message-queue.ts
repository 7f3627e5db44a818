import type { SdkUserMessage } from './sdk.js';

interface Queued {
  message: SdkUserMessage;
  taken: () => void;
  lost: (cause: Error) => void;
}

/** Messages on their way into the client; the client takes them one by one. */
export class MessageQueue implements AsyncIterable<SdkUserMessage> {
  #queued: Queued[] = [];
  /** Given to the client, which has not asked for the next one yet. */
  #inHand: Queued | undefined;
  #wake: () => void = () => undefined;
  #closed: Error | undefined;

  /** @param ended what a message is rejected with that the client stops to take */
  constructor(private readonly ended: Error) {}

  /** Resolves when the client has taken the message; rejects when it ends before. Settles in any case. */
  put(message: SdkUserMessage): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    return new Promise((taken, lost) => {
      this.#queued.push({ message, taken, lost });
      this.#wake();
    });
  }

  close(): void {
    const closed = (this.#closed ??= this.ended);
    this.#inHand?.lost(closed);
    for (const { lost } of this.#queued) lost(closed);
    this.#queued = [];
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SdkUserMessage> {
    try {
      while (this.#closed === undefined) {
        this.#inHand = this.#queued.shift();
        if (this.#inHand === undefined) await this.#next();
        else yield this.#inHand.message;
        // The client asks for the next one once it has written this one.
        this.#inHand?.taken();
      }
    } finally {
      // A client that is gone asks for no more, and does not say so.
      this.close();
    }
  }

  #next(): Promise<void> {
    return new Promise((woken) => {
      this.#wake = woken;
    });
  }
}
