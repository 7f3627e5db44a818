import type { Acknowledgement, ConversationId, RelayEnvelope } from '#contracts';
import { LIMITS } from '#contracts';
import type { Journal } from '../journal/journal.js';
import { lastNumber, type Outgoing } from '../journal/outgoing.js';

/** So much may be on its way to the hub and not acknowledged; the rest waits in the journals. */
const WINDOW_BYTES = 4 * 1024 * 1024;
/** Room in a frame for its own brackets; an envelope's head is counted with each message. */
const FRAME_BYTES = LIMITS.linkFrameBytes - 1024;
const HEAD_BYTES = 110;
const MOST_MESSAGES = 500;
/** An acknowledgement that comes again after this long means that the hub misses a number. */
const MISSED_AFTER_MS = 2_000;
/** A journal that could not be read is read again after this. */
const READ_AGAIN_MS = 2_000;

interface Line {
  /** The assignment that the numbers are of: another epoch begins anew (link rule 2). */
  readonly epoch: number;
  /** The last number that was sent since the attach. */
  sent: number;
  acked: number;
  readonly onItsWay: { readonly n: number; readonly bytes: number }[];
  sentAt: number;
}

export interface OutboxParts {
  journal(id: ConversationId): Journal | undefined;
  /** Sends one frame; only called between {@link Outbox.open} and {@link Outbox.close}. */
  emit(messages: RelayEnvelope[]): void;
  /** Milliseconds of a clock that only goes forwards. */
  now(): number;
  failed(error: unknown): void;
}

/**
 * Sends what the journals hold, each conversation's messages in order, several conversations in one frame, and
 * no more at a time than the hub keeps up with.
 */
export class Outbox {
  readonly #lines = new Map<ConversationId, Line>();
  readonly #ready = new Set<ConversationId>();
  #open = false;
  /** Counts the attaches: what was read for one connection is not sent on the next. */
  #connection = 0;
  #window = 0;
  #flushing = false;

  constructor(private readonly parts: OutboxParts) {}

  /** After an attach: everything behind what the hub has is sent. */
  open(ids: Iterable<ConversationId>): void {
    this.close();
    this.#open = true;
    this.#connection += 1;
    for (const id of ids) this.wake(id);
  }

  /** The connection is gone; what was on its way is sent again after the next attach. */
  close(): void {
    this.#open = false;
    this.#lines.clear();
    this.#ready.clear();
    this.#window = 0;
  }

  /** Whether the hub has taken all that was handed to it. */
  get isDrained(): boolean {
    return this.#window <= 0 && this.#ready.size === 0;
  }

  /** A conversation has something to send. */
  wake(id: ConversationId): void {
    if (!this.#open) return;
    this.#ready.add(id);
    this.#flushSoon();
  }

  acknowledged({ conversationId: id, epoch, n }: Acknowledgement): void {
    const line = this.#lines.get(id);
    if (line?.epoch !== epoch) return;
    const again = n === line.acked && n < line.sent;
    line.acked = Math.max(line.acked, n);
    this.#arrived(line, n);
    if (again && this.parts.now() - line.sentAt > MISSED_AFTER_MS) this.sendFrom(id, n + 1);
    if (line.sent <= n) this.#lines.delete(id);
    if (this.#ready.size > 0) this.#flushSoon();
  }

  /** Sends again from a number on: the hub has not taken it, or something else stands there now. */
  sendFrom(id: ConversationId, n: number): void {
    const line = this.#lines.get(id);
    if (line !== undefined) {
      this.#callBack(line);
      line.sent = Math.min(line.sent, n - 1);
    }
    this.wake(id);
  }

  /** What was on its way is not any more. */
  #callBack(line: Line): void {
    this.#window -= line.onItsWay.reduce((sum, { bytes }) => sum + bytes, 0);
    line.onItsWay.length = 0;
  }

  /** The line of the journal's epoch; what is on its way of an earlier one is nobody's any more. */
  #lineOf({ conversationId, epoch, acked }: Journal['state']): Line {
    const line = this.#lines.get(conversationId);
    if (line?.epoch === epoch) return line;
    if (line !== undefined) this.#callBack(line);
    this.#lines.delete(conversationId);
    return { epoch, sent: acked, acked, onItsWay: [], sentAt: 0 };
  }

  #arrived(line: Line, n: number): void {
    while (line.onItsWay.length > 0 && (line.onItsWay[0]?.n ?? 0) <= n) {
      this.#window -= line.onItsWay.shift()?.bytes ?? 0;
    }
  }

  /** What comes in one turn of the event loop goes in one frame. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flush()
        .catch((error: unknown) => this.parts.failed(error))
        .finally(() => {
          this.#flushing = false;
          if (this.#open && this.#ready.size > 0 && this.#window < WINDOW_BYTES) this.#flushSoon();
        });
    });
  }

  async #flush(): Promise<void> {
    const connection = this.#connection;
    while (this.#isOn(connection) && this.#ready.size > 0 && this.#window < WINDOW_BYTES) {
      const frame: RelayEnvelope[] = [];
      let room: number | undefined = FRAME_BYTES;
      for (const id of [...this.#ready]) {
        room = await this.#take(id, frame, room);
        if (room === undefined) break;
      }
      if (frame.length === 0) return;
      if (this.#isOn(connection)) this.parts.emit(frame);
    }
  }

  #isOn(connection: number): boolean {
    return this.#open && this.#connection === connection;
  }

  /** Puts a conversation's next messages into the frame; gives back the room left, none when it is full. */
  async #take(
    id: ConversationId,
    frame: RelayEnvelope[],
    room: number,
  ): Promise<number | undefined> {
    const journal = this.parts.journal(id);
    if (journal === undefined) {
      this.#ready.delete(id);
      return room;
    }
    const { conversationId, epoch } = journal.state;
    const line = this.#lineOf(journal.state);
    const from = line.sent + 1;
    const connection = this.#connection;
    const found = await this.#read(id, () => journal.outgoing(from, room));
    // While the disk was read, the connection may have gone, or something is to be sent again.
    const isStill = this.parts.journal(id) === journal && line.sent + 1 === from;
    if (!this.#isOn(connection) || !isStill) return undefined;
    const fits = fitting(found, room, frame.length);
    for (const { n, message } of fits) frame.push({ conversationId, epoch, n, message });
    this.#onItsWay(id, line, fits);
    // To the end of the row: a conversation with much to say lets the others speak.
    this.#ready.delete(id);
    if (fits.length < found.length || !isAllOf(found, journal)) this.#ready.add(id);
    const left = room - fits.reduce((sum, { bytes }) => sum + bytes + HEAD_BYTES, 0);
    return fits.length < found.length || left <= 0 ? undefined : left;
  }

  /** One journal that can't be read keeps no other waiting. */
  async #read(id: ConversationId, read: () => Promise<Outgoing[]>): Promise<Outgoing[]> {
    try {
      return await read();
    } catch (error) {
      this.parts.failed(error);
      setTimeout(() => this.wake(id), READ_AGAIN_MS).unref();
      return [];
    }
  }

  #onItsWay(id: ConversationId, line: Line, messages: readonly Outgoing[]): void {
    if (messages.length === 0) return;
    const to = line;
    for (const message of messages) {
      const { bytes } = message;
      this.#window += bytes;
      to.sent = lastNumber(message);
      to.onItsWay.push({ n: to.sent, bytes });
    }
    to.sentAt = this.parts.now();
    this.#lines.set(id, to);
  }
}

/** The beginning of a conversation's messages that has room in a frame; one at least in an empty frame. */
function fitting(messages: readonly Outgoing[], room: number, inFrame: number): Outgoing[] {
  let left = room;
  const over = messages.findIndex(({ bytes }, at) => {
    left -= bytes + HEAD_BYTES;
    return inFrame + at >= MOST_MESSAGES || (left < 0 && inFrame + at > 0);
  });
  return over < 0 ? [...messages] : messages.slice(0, over);
}

/** Whether nothing of the journal is left to send; what is not written yet wakes the outbox itself. */
function isAllOf(found: readonly Outgoing[], journal: Journal): boolean {
  const last = found.at(-1);
  return last === undefined || lastNumber(last) >= journal.state.sent;
}
