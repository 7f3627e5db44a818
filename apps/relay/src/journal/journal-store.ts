import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { ConversationId } from '#contracts';
import { within } from '../conversations/bounded-wait.js';
import { newConversationState } from './conversation-state.js';
import type { JournalOptions } from './journal-options.js';
import { IN_THE_MAKING, Journal } from './journal.js';
import { PutAside } from './put-aside.js';
import type { JournalPlace } from './read-back.js';

/** `<conversation>@<epoch>`: an epoch has numbers of its own, so it has a journal of its own (link rules 1, 2). */
const FOLDER = /^([0-9a-f-]{36})@(\d+)$/;
const READ_AT_ONCE = 32;

export interface JournalStoreOptions extends JournalOptions {
  /** How long anybody waits for a disk that takes nothing; it is tried again all the same. */
  readonly diskWaitMs: number;
  /** How often journals that rest are looked at for what need not be kept any more. */
  readonly lookOverMs: number;
}

/** Which journal to begin, and where the hub is where an earlier one was lost. */
export interface NewJournal extends JournalPlace {
  readonly sent?: number;
  readonly received?: number;
}

/** The journals of all conversations on this machine, a folder each. */
export class JournalStore {
  readonly #journals = new Set<Journal>();
  readonly #resting = new Set<Journal>();
  readonly #folder: string;
  readonly #aside: PutAside;
  readonly #closing = new AbortController();
  #lookedOverAt: number;

  constructor(
    home: string,
    private readonly options: JournalStoreOptions,
  ) {
    this.#folder = path.join(home, 'journals');
    this.#aside = new PutAside(path.join(home, 'journals-put-aside'), options);
    this.#lookedOverAt = options.now();
  }

  /**
   * Reads what an earlier life of the relay left, and clears away what was put aside long ago. A journal that can't
   * be read is put aside, and an empty one stands in its place until the hub tells where it is.
   */
  async loadAll(): Promise<Journal[]> {
    const { disk } = this.options;
    await disk.makeFolder(this.#folder);
    await this.#attempt(this.#folder, () => this.#aside.clear());
    const limit = pLimit(READ_AT_ONCE);
    const names = await disk.list(this.#folder);
    const loaded = await Promise.all(names.map((name) => limit(() => this.#load(name))));
    return loaded.filter((journal) => journal !== undefined);
  }

  /** Begins a journal; tries again until the disk takes it. Rejects when the relay stops before that. */
  async create(of: NewJournal): Promise<Journal> {
    const { retryWriteMs, trouble } = this.options;
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await this.#make(of);
      } catch (error) {
        trouble(error, this.#folderOf(of));
      }
      await delay(retryWriteMs, undefined, { signal });
    }
  }

  /** For a relay that stops: nobody waits for a disk any longer that takes no new journal. */
  stopCreating(): void {
    this.#closing.abort();
  }

  /** For a stale epoch: the journal is kept for a while but never played again (link rule 2). */
  async putAside(journal: Journal): Promise<void> {
    await this.#forget(journal);
    await this.#aside.take(journal.folder);
  }

  /** For a conversation that was deleted. */
  async remove(journal: Journal): Promise<void> {
    await this.#forget(journal);
    await this.options.disk.remove(journal.folder);
  }

  /**
   * Gives back the files of conversations for which `rests` says so, and now and then what need not be kept.
   * Waits for no journal longer than any other takes; none keeps another from its rest.
   */
  async sweep(rests: (journal: Journal) => boolean): Promise<void> {
    const due = [...this.#journals].filter(
      (journal) => journal.isOpen && !this.#resting.has(journal) && rests(journal),
    );
    await within(Promise.all(due.map((journal) => this.#rest(journal))), this.options.diskWaitMs);
    if (this.options.now() - this.#lookedOverAt < this.options.lookOverMs) return;
    this.#lookedOverAt = this.options.now();
    await this.#lookOver();
  }

  /** Brings everything to the disk, or gives up where that takes nothing. */
  async close(): Promise<void> {
    this.stopCreating();
    const all = [...this.#journals];
    const { diskWaitMs } = this.options;
    const closing = all.map((journal) => this.#attempt(journal.folder, () => journal.close()));
    if (await within(Promise.all(closing), diskWaitMs)) return;
    const giving = all.map((journal) => this.#attempt(journal.folder, () => journal.abandon()));
    await within(Promise.all(giving), diskWaitMs);
  }

  async #rest(journal: Journal): Promise<void> {
    this.#resting.add(journal);
    await this.#attempt(journal.folder, () => journal.rest());
    this.#resting.delete(journal);
  }

  async #lookOver(): Promise<void> {
    for (const journal of this.#journals) {
      await this.#attempt(journal.folder, () => journal.compact());
    }
    await this.#attempt(this.#folder, () => this.#aside.clear());
  }

  /** What fails for one journal is told, and stops no other. */
  async #attempt(file: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.trouble(error, file);
    }
  }

  async #load(name: string): Promise<Journal | undefined> {
    const folder = path.join(this.#folder, name);
    if (name.endsWith(IN_THE_MAKING)) {
      await this.#attempt(folder, () => this.options.disk.remove(folder));
    }
    const [, id, epoch] = FOLDER.exec(name) ?? [];
    const conversationId = ConversationId.safeParse(id);
    if (!conversationId.success) return undefined;
    const place = { conversationId: conversationId.data, epoch: Number(epoch) };
    try {
      const loaded = await Journal.load(folder, place, this.options);
      if (loaded !== undefined) return await this.#taken(loaded.journal, loaded.unreadable);
      this.options.damaged(new Error('Nothing in it can be read.'), folder);
    } catch (error) {
      this.options.damaged(error, folder);
    }
    return this.#replace(place);
  }

  async #taken(journal: Journal, unreadable: readonly string[]): Promise<Journal> {
    this.#journals.add(journal);
    if (journal.state.damaged !== undefined) {
      this.options.damaged(new Error('Lines of it can not be read.'), journal.folder);
    }
    for (const file of unreadable) {
      this.options.damaged(new Error('Nothing in it can be read.'), file);
      const name = `${path.basename(journal.folder)}.${path.basename(file)}`;
      await this.#attempt(file, () => this.#aside.take(file, name));
    }
    return journal;
  }

  /** Where this fails, the hub's next message for the conversation tries again. */
  async #replace(place: JournalPlace): Promise<Journal | undefined> {
    try {
      return await this.#make(place);
    } catch (error) {
      this.options.trouble(error, this.#folderOf(place));
      return undefined;
    }
  }

  async #make(of: NewJournal): Promise<Journal> {
    const { conversationId, epoch, sent = 0, received = 0 } = of;
    const empty = newConversationState({ conversationId, epoch });
    const state = { ...empty, sent, acked: sent, received };
    const folder = this.#folderOf(of);
    const make = (): Promise<Journal> => Journal.create(folder, state, this.options);
    const journal = await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      // What stands there could not be read.
      await this.#aside.take(folder);
      return make();
    });
    this.#journals.add(journal);
    return journal;
  }

  #folderOf({ conversationId, epoch }: JournalPlace): string {
    return path.join(this.#folder, `${conversationId}@${epoch}`);
  }

  async #forget(journal: Journal): Promise<void> {
    this.#journals.delete(journal);
    await journal.abandon();
  }
}
