import type { SdkUserMessage } from './sdk.js';

interface Queued {
  message: SdkUserMessage;
  taken: () => void;
  lost: (cause: Error) => void;
}

/** Messages on their way into the client; the client takes them one by one. */
export class MessageQueue implements AsyncIterable<SdkUserMessage> {
  #queued: Queued[] = [];
  #wake: () => void = () => undefined;
  #closed: Error | undefined;

  /** Resolves when the client has taken the message; rejects when it ends before. */
  put(message: SdkUserMessage): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    return new Promise((taken, lost) => {
      this.#queued.push({ message, taken, lost });
      this.#wake();
    });
  }

  close(cause: Error): void {
    this.#closed ??= cause;
    for (const { lost } of this.#queued) lost(this.#closed);
    this.#queued = [];
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SdkUserMessage> {
    while (this.#closed === undefined) {
      const next = this.#queued.shift();
      if (next === undefined) {
        await new Promise<void>((woken) => {
          this.#wake = woken;
        });
        continue;
      }
      yield next.message;
      // The client asks for the next one once it has written this one.
      next.taken();
    }
  }
}
