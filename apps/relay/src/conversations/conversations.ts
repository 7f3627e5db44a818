import type {
  Acknowledgement,
  AskRequest,
  ConversationId,
  HubCursor,
  HubMessage,
  Refused,
  RelayCursor,
} from '#contracts';
import type { ConversationState, UnreadableMessage } from '../journal/journal-shapes.js';
import type { JournalStore } from '../journal/journal-store.js';
import type { Journal } from '../journal/journal.js';
import { tombstoneFor } from '../outgoing/tombstone.js';
import { Conversation } from './conversation.js';
import { described, placesOf } from './places.js';
import { toldBack } from './told-back.js';
import type { ConversationHost } from './conversation-host.js';
import { meetsHub, overtaken, tellDamage } from './journal-gaps.js';

/** A message of the hub's as it came off the link: its place is sure, its body may be unreadable. */
export interface Arrived {
  readonly conversationId: ConversationId;
  readonly epoch: number;
  readonly n: number;
  readonly message: HubMessage | UnreadableMessage;
}

/** All conversations on this machine. Those at rest are a journal in memory and no open file. */
export class Conversations {
  readonly #journals = new Map<ConversationId, Journal>();
  readonly #awake = new Map<ConversationId, Conversation>();
  /** Conversations whose journal is being made, put aside or removed; what comes for them waits its turn. */
  readonly #changing = new Map<ConversationId, Promise<void>>();
  /** Where the hub is in conversations of which this relay has no journal. */
  #lost = new Map<ConversationId, HubCursor>();
  /** What an earlier life left open: told once it is known which numbers the hub has. */
  readonly #toRecover = new Set<ConversationId>();
  #attached = false;
  #closing = false;

  constructor(
    private readonly store: JournalStore,
    private readonly host: ConversationHost,
  ) {}

  /** Takes up what earlier lives of the relay left. */
  async load(): Promise<void> {
    for (const journal of await this.store.loadAll()) {
      const { conversationId, epoch } = journal.state;
      const other = this.#journals.get(conversationId);
      const isOver = other !== undefined && other.state.epoch > epoch;
      if (!isOver) this.#journals.set(conversationId, journal);
      const over = isOver ? journal : other;
      if (over !== undefined) this.#change(conversationId, () => this.store.putAside(over));
    }
    await Promise.all(this.#changing.values());
    for (const { state } of this.#journals.values()) {
      if (!restedWell(state)) this.#toRecover.add(state.conversationId);
    }
  }

  /** The journal of a conversation, for sending what is in it. */
  journal(id: ConversationId): Journal | undefined {
    return this.#journals.get(id);
  }

  /** Where this relay is in its conversations: those that are not at rest first, then the newest. */
  cursors(): RelayCursor[] {
    return placesOf(
      this.#journals.values(),
      (id) => this.#awake.has(id) || this.#toRecover.has(id),
    );
  }

  /** Of conversations that the hub does not know (link rule 10): where this relay is, and what it runs there. */
  described(unknown: readonly HubCursor[]): RelayCursor[] {
    return described(this.#journals, unknown);
  }

  /** Conversations of which the hub has not everything. */
  unsent(): ConversationId[] {
    const journals = [...this.#journals.values()];
    return journals
      .filter(({ state }) => state.sent > state.acked)
      .map(({ state }) => state.conversationId);
  }

  /** After an attach: stops what is not this relay's any more, and goes on with the rest. */
  attached(cursors: readonly HubCursor[]): void {
    this.#lost = new Map();
    const damaged: Journal[] = [];
    for (const cursor of cursors) {
      const journal = this.#journals.get(cursor.conversationId);
      if (cursor.stale) this.#stale(cursor.conversationId, cursor.epoch);
      else if (journal?.state.epoch === cursor.epoch) {
        if (this.#goOn(journal, cursor)) damaged.push(journal);
      } else if (cursor.unknown !== true) this.#lost.set(cursor.conversationId, cursor);
    }
    this.#recover();
    this.#attached = true;
    for (const journal of damaged) tellDamage(journal, this.host);
    for (const conversation of this.#awake.values()) {
      if (!this.#changing.has(conversation.state.conversationId)) conversation.attached();
    }
  }

  /**
   * Where the hub has less than it had (link rule 10), that is sent again, and what it had said is told back. Says
   * whether something of the journal is damaged or lost.
   */
  #goOn(journal: Journal, cursor: HubCursor): boolean {
    const { remembers } = cursor;
    const { conversationId } = journal.state;
    const isDamaged = meetsHub(journal, cursor, this.host);
    if (remembers === undefined) return isDamaged;
    this.#change(conversationId, async () => {
      for (const message of toldBack(await journal.saidAfter(remembers), journal.state)) {
        void journal.send(message).written.then(() => this.host.written(conversationId));
      }
      this.#awake.get(conversationId)?.attached();
    });
    return isDamaged;
  }

  /** Takes a message of the hub's. One that came before is acknowledged again; a gap is said. */
  receive(arrived: Arrived): void {
    const { conversationId, epoch } = arrived;
    const changing = this.#changing.get(conversationId);
    if (changing !== undefined) {
      void changing.then(() => {
        if (!this.#closing) this.receive(arrived);
      });
      return;
    }
    const journal = this.#journals.get(conversationId);
    if (journal === undefined) return this.#receiveUnknown(arrived);
    if (epoch < journal.state.epoch) return;
    if (epoch > journal.state.epoch) {
      this.#stale(conversationId, journal.state.epoch);
      return this.receive(arrived);
    }
    this.#receiveKnown(journal, arrived);
  }

  acknowledged({ conversationId, epoch, n }: Acknowledgement): void {
    const journal = this.#journals.get(conversationId);
    if (journal?.state.epoch !== epoch) return;
    if (n > journal.state.sent) {
      overtaken(journal, n, this.host);
      return tellDamage(journal, this.host);
    }
    const awake = this.#awake.get(conversationId);
    if (awake === undefined) journal.acknowledged(n);
    else awake.acknowledged(n);
  }

  /** The hub refused a message: an old assignment ends, else it is buried. Rejects where nothing can stand there. */
  async refused({ conversationId, epoch, n, code, reason }: Refused): Promise<void> {
    const journal = this.#journals.get(conversationId);
    if (journal?.state.epoch !== epoch) return;
    if (code === 'STALE_EPOCH') return this.#stale(conversationId, epoch);
    const [refused] = await journal.outgoing(n, 1);
    if (refused?.n !== n) return;
    const { message } = refused;
    this.host.log.error({ conversation: conversationId, n, kind: message.kind, reason }, 'refused');
    const calls: AskRequest[] = message.kind === 'ask' ? [message] : [];
    this.#wake(conversationId)?.buried(n, tombstoneFor(message, reason), calls);
  }

  /** A client was installed or a setting made: what failed before may go well now. */
  tryAgain(): void {
    for (const conversation of this.#awake.values()) conversation.tryAgain();
  }

  /** A provider's settings have changed: what does not work at this moment begins anew with its next message. */
  settingsChanged(): void {
    for (const conversation of this.#awake.values()) conversation.settingsChanged();
  }

  /** Lets conversations in which nothing happens rest. */
  async sweep(): Promise<void> {
    for (const conversation of this.#awake.values()) this.#letRest(conversation);
    await this.store.sweep((journal) => !this.#awake.has(journal.state.conversationId));
  }

  /** Ends every agent, in no order: they know nothing of each other. */
  async close(): Promise<void> {
    this.#closing = true;
    this.store.stopCreating();
    await Promise.all([...this.#awake.values()].map((awake) => awake.close('relay-stopping')));
    await Promise.all(this.#changing.values());
  }

  /** Brings everything to the disk; nothing may be said after that. */
  closeJournals(): Promise<void> {
    return this.store.close();
  }

  #receiveKnown(journal: Journal, { conversationId, epoch, n, message }: Arrived): void {
    const { received } = journal.state;
    if (n !== received + 1) {
      // Had before, or a number is missing: either way the hub goes on behind what is on the disk.
      void journal.sync().then(() => this.host.received({ conversationId, epoch, n: received }));
      return;
    }
    if (message.kind === 'forget') return this.#forget(journal, n);
    this.#wake(conversationId)?.receive(n, message);
  }

  #receiveUnknown(arrived: Arrived): void {
    const { conversationId, epoch, n, message } = arrived;
    if (message.kind === 'forget') return this.host.received({ conversationId, epoch, n });
    const lost = this.#lost.get(conversationId);
    const sent = lost?.epoch === epoch ? lost.received : 0;
    this.#change(conversationId, async () => {
      const journal = await this.store.create({ conversationId, epoch, sent, received: n - 1 });
      this.#journals.set(conversationId, journal);
      if (sent > 0 || n > 1) tellDamage(journal, this.host);
    });
    this.receive(arrived);
  }

  /** Says how everything ended that an earlier life left open; nothing is handed to an agent before that. */
  #recover(): void {
    for (const id of this.#toRecover) this.#wake(id)?.recover();
    this.#toRecover.clear();
  }

  /** Link rule 2: this relay's assignment is over; its agent stops, its journal is kept for a while. */
  #stale(conversationId: ConversationId, epoch: number): void {
    const journal = this.#journals.get(conversationId);
    if (journal?.state.epoch !== epoch) return;
    this.#toRecover.delete(conversationId);
    this.host.log.warn({ conversation: conversationId, epoch }, 'assignment over: agent stopped');
    this.#change(conversationId, async () => {
      await this.#end(conversationId);
      await this.store.putAside(journal);
    });
  }

  /** Acknowledged once the journal is gone; where it stays, the hub says it again. */
  #forget(journal: Journal, n: number): void {
    const { conversationId, epoch } = journal.state;
    this.#change(conversationId, async () => {
      await this.#end(conversationId);
      await this.store.remove(journal);
      this.host.received({ conversationId, epoch, n });
    });
  }

  async #end(conversationId: ConversationId): Promise<void> {
    const conversation = this.#awake.get(conversationId);
    await conversation?.close('let-go');
    this.#awake.delete(conversationId);
    this.#journals.delete(conversationId);
  }

  /** Changes which journal a conversation has, one change after the other. */
  #change(conversationId: ConversationId, change: () => Promise<void>): void {
    const before = this.#changing.get(conversationId) ?? Promise.resolve();
    const done = before
      .then(change)
      .catch((error: unknown) => {
        if (this.#closing) return;
        this.host.log.error(
          { err: error, conversation: conversationId },
          'a journal did not change',
        );
      })
      .finally(() => {
        if (this.#changing.get(conversationId) === done) this.#changing.delete(conversationId);
      });
    this.#changing.set(conversationId, done);
  }

  #wake(id: ConversationId): Conversation | undefined {
    const awake = this.#awake.get(id);
    const journal = this.#journals.get(id);
    if (awake !== undefined || journal === undefined) return awake;
    const conversation = new Conversation(journal, this.host);
    this.#awake.set(id, conversation);
    if (this.#attached) conversation.open();
    return conversation;
  }

  #letRest(conversation: Conversation | undefined): void {
    if (conversation?.isAtRest !== true) return;
    conversation.rest();
    this.#awake.delete(conversation.state.conversationId);
  }
}

/** Whether an earlier life left nothing to be said or done about a conversation. */
function restedWell(state: Readonly<ConversationState>): boolean {
  const { process, turnId, waiting, work, modeToAcknowledge, sent, acked } = state;
  const isUp = process === 'live' || process === 'starting' || turnId !== undefined;
  const owes = waiting.length + work.length > 0 || modeToAcknowledge !== undefined;
  return !isUp && !owes && sent === acked;
}
