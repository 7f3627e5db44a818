import type { RelayMessage, RelayMessageOf } from '#contracts';

/** One of the relay's own messages, with its size on the link. */
export interface Outgoing {
  readonly n: number;
  readonly message: RelayMessage;
  readonly bytes: number;
}

export const outgoing = (n: number, message: RelayMessage): Outgoing => ({
  n,
  message,
  bytes: Buffer.byteLength(JSON.stringify(message)),
});

/** The last number that a message stands for: a run that is kept no more has one message for all of it. */
export const lastNumber = ({ n, message }: Pick<Outgoing, 'n' | 'message'>): number =>
  message.kind === 'tombstone' ? n + (message.missing ?? 1) - 1 : n;

/** In the place of a run that is kept no more (link rule 10), so that the rest follows it. */
export const notKept = (from: number, missing: number): Outgoing =>
  outgoing(from, {
    kind: 'tombstone',
    what: 'not-kept',
    reason: `The machine keeps what the hub has acknowledged for a while only: ${missing} of its messages are gone.`,
    missing,
  });

/** The newest messages that the hub has not acknowledged, so that sending need not read the disk. */
export class OutgoingTail {
  #messages: Outgoing[] = [];
  #bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get messages(): readonly Outgoing[] {
    return this.#messages;
  }

  /** Whether the message of this number and all after it are here. */
  reachesBack(n: number): boolean {
    return (this.#messages[0]?.n ?? Infinity) <= n;
  }

  push(message: Outgoing): void {
    this.#messages.push(message);
    this.#bytes += message.bytes;
    while (this.#bytes > this.mostBytes && this.#messages.length > 1) {
      this.#bytes -= this.#messages.shift()?.bytes ?? 0;
    }
  }

  acknowledged(n: number): void {
    this.#messages = this.#messages.filter((message) => message.n > n);
    this.#bytes = this.#messages.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  bury(n: number, message: RelayMessageOf<'tombstone'>): void {
    const at = this.#messages.findIndex((kept) => kept.n === n);
    if (at >= 0) this.#messages[at] = outgoing(n, message);
  }
}

/** How many messages fit; one at least. */
export function fitting(messages: readonly Outgoing[], maxBytes: number): number {
  let bytes = 0;
  const over = messages.findIndex((message) => (bytes += message.bytes) > maxBytes);
  return over < 0 ? messages.length : Math.max(over, 1);
}
